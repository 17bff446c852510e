from __future__ import annotations

import pytest

from referee.errors import UsageError
from referee.report import GameId, GamePlace, parse_game

NAMED: dict[str, GameId | GamePlace] = {
    "0.0.0": GamePlace(0, 0, 0),
    "12.345.5": GamePlace(12, 345, 5),
    "00112233445566778899aabbccddeeff": GameId(bytes.fromhex("00112233445566778899aabbccddeeff")),
    "00112233445566778899AABBCCDDEEFF": GameId(bytes.fromhex("00112233445566778899aabbccddeeff")),
    "12345678901234567890123456789012": GameId(bytes.fromhex("12345678901234567890123456789012")),
}

NO_GAMES = [
    "", "0", "0.0", "0.0.6", "0.0.0.0", "-1.0.0", "01.0.0", "0.0.0 ", " 0.0.0", "0.0.0\n", "+1.0.0",
    "1_0.0.0", "٠.٠.٠", "9999999999.0.0", "0x0.0.0", "00112233445566778899aabbccddee",
    "00112233445566778899aabbccddeefg", "\x1b[2J",
]  # fmt: skip


@pytest.mark.parametrize("text", NAMED)
def test_a_game_is_named_by_place_or_id(text: str) -> None:
    assert parse_game(text) == NAMED[text]


@pytest.mark.parametrize("text", NAMED)
def test_a_name_of_a_game_reads_as_itself(text: str) -> None:
    assert parse_game(NAMED[text].text) == NAMED[text]


@pytest.mark.parametrize("text", NO_GAMES)
def test_what_names_no_game_is_refused_with_the_two_ways_to_name_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"32 hex digits.*ROUND\.INDEX\.REPLAY") as refused:
        parse_game(text)
    assert "\x1b" not in str(refused.value) and "\n" not in str(refused.value)
