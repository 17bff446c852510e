"""A bot that plays the rest of the hand many times over, with hidden cards dealt at random.

    searching.py [--nodes NODES]

For each decision it deals worlds: hidden hands that agree with all it has seen. In every world it
tries each choice and plays the hand to its end with a quick policy that sees all cards. The choice
that leaves its team the best prospects of the game wins. A node is one card played in such a
play-out, so `--nodes` is its strength, and never a clock. Nothing is remembered, sums are whole
numbers, and all luck comes from the decision's random seed. It thinks in the default rules.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from referee.sdk import TRUMP_ORDERS, Decision, DiscardDecision, Suit, run

JOKER = 53
PACK = range(1, 54)
LEAST_NODES = 216  # six choices of 36 cards each: one world of the first trick
OUT = 6  # the place of a card in nobody's hand


def rank(card: int) -> int:
    """Return the rank of a card in its printed suit, 0 for a two."""
    return (card - 1) % 13


# Cards as bits: in every trump suit a higher bit of what was led, or of trumps, wins


class Layout:
    """A bit for each card: three side suits, trumps above them, each suit from the lowest up.

    Of two masks without common bits the greater one has the higher card: so the cards that may win
    a trick, the hand's of the suit led or else its trumps, are compared as they are.
    """

    def __init__(self, suit: Suit) -> None:
        order = TRUMP_ORDERS[suit]
        suits = [range(13 * s + 1, 13 * s + 14) for s in range(4)]
        sides = [[c for c in cards if c not in order.trumps] for cards in suits]
        self.cards = [card for side in sides for card in side] + list(order.ranking[::-1])
        self.bits = [0] * 54
        for index, card in enumerate(self.cards):
            self.bits[card] = 1 << index
        self.trumps = self.mask(order.ranking)
        self.sides = tuple(self.mask(side) for side in sides if side)
        self.suit_of = {
            self.bits[card]: next(
                mask for mask in (*self.sides, self.trumps) if mask & self.bits[card]
            )
            for card in self.cards
        }
        self.joker, self.right, self.left, self.two, self.ace = (
            self.bits[card]
            for card in (JOKER, order.right, order.left, order.two, order.ranking[0])
        )
        bauers = self.left | self.right
        self.protected = bauers | self.joker | self.two | self.ace
        ranks = [self.mask(c for c in PACK if c != JOKER and rank(c) == r) for r in range(13)]
        plain = [mask & ~self.trumps for mask in ranks]
        self.low_side = plain
        self.tens, jacks, queens, kings, aces = ranks[8:]
        self.card_points = ((10, self.tens), (4, aces), (3, kings), (2, queens), (1, jacks))
        self.prizes = bauers | self.joker | self.tens
        self.rich = self.prizes | aces
        high = self.trumps & (aces | kings | queens)
        small = self.trumps & ~(self.prizes | high | self.two)
        self.cheap = cheap = sum(plain[:8])
        #: What to part with, the first first, in a trick that a rival or the partner will win.
        self.lose = (*(cheap, *plain[9:], self.two, small, high, self.tens, self.joker, bauers),)
        self.give = (*(self.joker, bauers, self.tens, *plain[:8:-1], cheap, self.two, small, high),)
        #: Masks by card number for estimates of a holding before any bits are laid out.
        natural = [
            (16, order.ranking[:1]),
            (7, order.ranking[1:3]),
            (9, (order.right, order.left, order.two)),
            (3, (JOKER,)),
            (2, [c for c in order.ranking if rank(c) < 9 and c not in (order.two, JOKER)]),
        ]
        self.weights = [(tenths, sum(1 << c for c in cards)) for tenths, cards in natural]

    def mask(self, cards: Sequence[int] | Iterator[int]) -> int:
        """Return the cards as bits."""
        return sum(self.bits[card] for card in cards)

    def owner_of_two(self, hands: Sequence[int], played: Sequence[int]) -> int:
        """Return the team of the seat that has or had the two of trumps (R10)."""
        return next(s for s in range(6) if (hands[s] | played[s]) & self.two) % 3

    def estimate(self, natural: int) -> int:
        """Return tenths of the points a team wins if this holding (bits by card) names the suit."""
        return 10 + sum(tenths * (natural & mask).bit_count() for tenths, mask in self.weights)


LAYOUTS = {int(suit): Layout(suit) for suit in Suit}


# The play-out


def lead(layout: Layout, hands: Sequence[int], seat: int) -> int:
    """Return the card the quick policy leads: a sure trump, a sure side card, or a cheap one."""
    hand, trumps = hands[seat], layout.trumps
    partner = (seat + 3) % 6
    rivals = [hands[other] for other in range(6) if other not in (seat, partner)]
    if held := hand & trumps:
        threat = max([other & trumps for other in rivals])
        if held > threat:
            length = threat.bit_length()
            sure = held >> length << length
            return (prize & -prize) if (prize := sure & layout.prizes) else _top(held)
    for suit in layout.sides:
        if (held := hand & suit) and held > max([(o & suit) or (o & trumps) for o in rivals]):
            return _top(held)
    return next(held & -held for mask in layout.lose if (held := hand & mask))


def _top(mask: int) -> int:
    return 1 << mask.bit_length() - 1


def play_out(
    layout: Layout, hands: list[int], piles: list[int], trick: Trick, card: int = 0
) -> None:
    """Play the hand to its end, the first card given or not; `hands` and `piles` are changed."""
    trumps, suit_of, prizes = layout.trumps, layout.suit_of, layout.prizes
    seat, left, led, best, winner, pot = trick
    while True:
        hand = hands[seat]
        partner = seat + 3 if seat < 3 else seat - 3
        if card:
            pass
        elif not led:
            card = hand if not hand & (hand - 1) else lead(layout, hands, seat)
        else:
            may = hand & led
            able = may or hand & trumps
            may = may or hand
            if not may & (may - 1):
                card = may
            else:
                threat = helping = 0
                other = seat
                for _ in range(left - 1):
                    other = other + 1 if other < 5 else 0
                    theirs = hands[other]
                    theirs = (theirs & led) or (theirs & trumps)
                    if other == partner:
                        helping = theirs
                    elif theirs > threat:
                        threat = theirs
                bar = best if best > threat else threat
                order = layout.lose
                if (winner == partner and best > threat) or helping > bar:
                    order = layout.give
                elif able > bar:
                    length = bar.bit_length()
                    sure = able >> length << length
                    if prize := sure & prizes:
                        card = prize & -prize
                    elif pot & layout.rich or not (sure & -sure) & layout.trumps:
                        card = sure & -sure
                if not card:
                    for mask in order:
                        if held := may & mask:
                            card = held & -held
                            break
        hands[seat] = hand ^ card
        pot |= card
        if not led:
            led, best, winner = suit_of[card], card, seat
        elif card > best and card & (led | trumps):
            best, winner = card, seat
        card = 0
        left -= 1
        if left:
            seat = seat + 1 if seat < 5 else 0
        else:
            piles[winner % 3] |= pot
            seat, left, led, best, pot = winner, 6, 0, 0, 0
            if not hands[seat]:
                return


class Trick(NamedTuple):
    """A trick in play: who is next, how many are to come, and what lies there."""

    seat: int
    left: int = 6
    led: int = 0
    best: int = 0
    winner: int = 0
    pot: int = 0


# What a hand is worth to a team


class Prospects:
    """The chance to win the game, in millionths, guessed from the scores after a hand."""

    def __init__(self, scores: Sequence[int], team: int, target: int) -> None:
        self.scores, self.team, self.target = tuple(scores), team, target
        self.known: dict[tuple[int, ...], int] = {}

    def after(self, points: Sequence[int], bidding: int, bid: int) -> int:
        """Return the chance once the points of the hand are scored (R28, R29, R31)."""
        scores = list(self.scores)
        for team, won in enumerate(points):
            scores[team] += -bid if team == bidding and won < bid else won
        return self.of(scores, bidding)

    def of(self, scores: Sequence[int], bidding: int) -> int:
        """Return the chance with these scores: each point is worth a sixth more (R32, R33)."""
        key = (*scores, bidding)
        if (known := self.known.get(key)) is not None:
            return known
        top = max(scores)
        leaders = [team for team in range(3) if scores[team] == top]
        if top >= self.target and (len(leaders) == 1 or bidding in leaders):
            first = leaders[0] if len(leaders) == 1 else bidding
            chance = 1_000_000 if first == self.team else 0
        else:
            ahead = [max(score - self.target, -60) + 60 for score in scores]
            weights = [7**a * 6 ** (180 - a) for a in ahead]
            chance = 1_000_000 * weights[self.team] // sum(weights)
        self.known[key] = chance
        return chance


def points_won(layout: Layout, piles: Sequence[int], low_team: int) -> list[int]:
    """Return the points of the three teams (R9 to R13), low for who played the two."""
    points, totals = [0, 0, 0], [0, 0, 0]
    points[low_team] = 1
    ones = layout.ace | layout.right | layout.left | layout.joker
    for team, pile in enumerate(piles):
        points[team] += (pile & ones).bit_count()
        totals[team] = sum(worth * (pile & mask).bit_count() for worth, mask in layout.card_points)
        totals[team] += (pile & layout.joker) > 0
    top = max(totals)
    if totals.count(top) == 1:
        points[totals.index(top)] += 1
    return points


# Hidden cards


class Seen:
    """What the seat knows of the hidden cards once play has begun, as bits of the trump suit.

    `may_hold[seat]` are the cards a seat may hold, `may_hold[OUT]` those that may be out of the
    hand; `needs` says how many each has. Trumps are out only if a dealer had over six (R21, R23):
    it has kept nothing but trumps then, and `excess` worlds are about that.
    """

    def __init__(self, decision: Decision) -> None:
        hand = decision.hand
        assert hand.trump is not None and hand.bidder is not None and hand.bid is not None
        self.layout = layout = LAYOUTS[hand.trump]
        self.seat, self.dealer, self.bidder, self.bid = (
            *(decision.seat, hand.dealer, hand.bidder, hand.bid),
        )
        self.own = layout.mask(decision.holding)
        self.piles = [0, 0, 0]
        self.played = [0] * 6
        lacks = [0] * 6
        self.trick = Trick(hand.tricks[-1].leader)
        for leader, cards in hand.tricks:
            led = best = pot = 0
            winner = leader
            for i, card in enumerate(cards):
                bit, seat = layout.bits[card], (leader + i) % 6
                led = led or layout.suit_of[bit]
                if not bit & led:
                    lacks[seat] |= led
                if bit & (led | layout.trumps) and bit > best:
                    best, winner = bit, seat
                pot |= bit
                self.played[seat] |= bit
            if len(cards) == 6:
                self.piles[winner % 3] |= pot
            else:
                next_seat = (leader + len(cards)) % 6
                self.trick = Trick(next_seat, 6 - len(cards), led, best, winner, pot)
        known = self.own | layout.mask(decision.own_discards) | sum(self.played)
        self.unknown = [1 << i for i in range(53) if not known >> i & 1]
        everything = (1 << 53) - 1
        self.may_hold = [everything & ~lack for lack in lacks] + [everything & ~layout.trumps]
        self.needs = [6 - played.bit_count() for played in self.played]
        self.needs[self.seat] = 0
        self.needs.append(len(self.unknown) - sum(self.needs))
        self.may_excess = (
            self.dealer != self.seat
            and not self.played[self.dealer] & ~layout.trumps
            and not lacks[self.dealer] & layout.trumps
            and self.needs[OUT] > 0
        )
        self.excess = [*self.may_hold[:OUT], everything & ~layout.protected]
        self.excess[self.dealer] &= layout.trumps
        counts = hand.discard_counts
        self.least_trumps = [0] * 6
        for i, count in enumerate(counts):
            seat = (self.dealer + 1 + i) % 6
            if seat != self.dealer and count < 3:
                self.least_trumps[seat] = 6 - count

    def world(self, rng: Random) -> list[int]:
        """Return six hands that agree with everything seen, the most plausible of three deals."""
        best, most = [0] * 7, -1000
        for _ in range(3):
            hands = self.deal(rng)
            plausible = self.plausibility(hands)
            if plausible > most:
                best, most = hands, plausible
            if plausible >= 0:
                break
        best[self.seat] = self.own
        return best[:OUT]

    def plausibility(self, hands: Sequence[int]) -> int:
        """Return 0 if the bidder has what a bidder has and nobody has kept too few trumps."""
        layout, doubt = self.layout, 0
        if self.bidder != self.seat:
            whole = hands[self.bidder] | self.played[self.bidder]
            trumps = whole & layout.trumps
            strength = 2 * trumps.bit_count() + 3 * (trumps & layout.protected).bit_count()
            doubt -= max(0, 3 * self.bid - strength)
        for seat, least in enumerate(self.least_trumps):
            if least and seat != self.seat:
                kept = ((hands[seat] | self.played[seat]) & layout.trumps).bit_count()
                doubt -= 2 * max(0, least - kept)
        return doubt

    def deal(self, rng: Random) -> list[int]:
        """Return six hands and what is out; every deal that agrees with what was seen can come."""
        may_hold = self.may_hold
        if self.may_excess and rng.random() < 0.02:
            dealt = self.fill(self.excess, rng)
            if dealt is not None:
                return dealt
        dealt = self.fill(may_hold, rng)
        if dealt is None:  # more trumps than the hands can hold
            dealt = self.fill(self.excess, rng)
        assert dealt is not None, "no deal agrees with what was seen"
        return dealt

    def fill(self, may_hold: Sequence[int], rng: Random) -> list[int] | None:
        """Deal the unknown cards where they may lie, at random, and move cards that are in the way.

        Returns None if there is no such deal.
        """
        room, hands = list(self.needs), [0] * 7
        cards = self.unknown[:]
        rng.shuffle(cards)
        places = [place for place in range(7) for _ in range(room[place])]
        rng.shuffle(places)
        stuck = []
        for card, place in zip(cards, places, strict=True):
            if may_hold[place] & card:
                hands[place] |= card
                room[place] -= 1
            else:
                stuck.append(card)
        for card in stuck:
            open_places = [p for p in range(7) if room[p] and may_hold[p] & card]
            if open_places:
                place = open_places[int(rng.random() * len(open_places))]
                hands[place] |= card
                room[place] -= 1
            elif not self._make_room(card, may_hold, hands, room, rng):
                return None
        return hands

    def _make_room(
        self,
        card: int,
        may_hold: Sequence[int],
        hands: list[int],
        room: list[int],
        rng: Random,
    ) -> bool:
        """Place the card by moving others along the shortest chain to a place with room."""
        queue = [p for p in range(7) if may_hold[p] & card]
        rng.shuffle(queue)
        #: By place: the card that comes there, and the place that it comes from.
        came = dict.fromkeys(queue, (card, -1))
        for place in queue:
            if room[place]:
                room[place] -= 1
                target = place
                while target >= 0:
                    moved, origin = came[target]
                    hands[target] |= moved
                    if origin >= 0:
                        hands[origin] ^= moved
                    target = origin
                return True
            held = [bit for bit in self.unknown if bit & hands[place]]
            rng.shuffle(held)
            for other in range(7):
                if other not in came:
                    bit = next((bit for bit in held if bit & may_hold[other]), 0)
                    if bit:
                        came[other] = (bit, place)
                        queue.append(other)
        return False


# Before play: the auction and the exchange in a world


def best_suit(natural: int) -> tuple[int, int]:
    """Return the estimate of the holding in its best suit, and that suit."""
    return max((layout.estimate(natural), -suit) for suit, layout in LAYOUTS.items())


def exchanged(layout: Layout, hands: list[int], stock: list[int], dealer: int) -> None:
    """Let all put away their low side cards and draw (R21), and the dealer take the rest (R22)."""
    drawn = 0
    for i in range(1, 6):
        seat = (dealer + i) % 6
        kept = shed(layout, hands[seat], 3)
        for _ in range(6 - kept.bit_count()):
            kept |= stock[drawn]
            drawn += 1
        hands[seat] = kept
    whole = hands[dealer] | sum(stock[drawn:])
    kept = shed(layout, whole, whole.bit_count() - 6)
    while kept.bit_count() > 6:
        loose = kept & ~layout.protected
        kept ^= loose & -loose
    hands[dealer] = kept


def shed(layout: Layout, hand: int, count: int) -> int:
    """Return the hand without up to so many of its side cards, the lowest first."""
    for mask in layout.low_side:
        while count and (held := hand & mask):
            hand ^= held & -held
            count -= 1
    return hand


def unlike(layout: Layout, bits: Sequence[int]) -> list[int]:
    """Return the cards without those that are as good as another: low cards of one side suit."""
    kept: list[int] = []
    met: set[int] = set()
    for bit in bits:
        if bit & layout.cheap:
            suit = layout.suit_of[bit]
            if suit in met:
                continue
            met.add(suit)
        kept.append(bit)
    return kept


class Searching:
    """The four choices at a budget of nodes."""

    def __init__(self, nodes: int) -> None:
        if nodes < LEAST_NODES:
            raise ValueError(f"nodes must be at least {LEAST_NODES}, is {nodes}")
        self.nodes = nodes
        self.spent = 0  # of the last decision: for whoever measures, no choice reads it

    def call(self, decision: Decision) -> int:
        """Compare a pass with the lowest bid: in each world the rest call by their estimates."""
        the_pass, lowest = decision.legal[:2]
        mine = sum(1 << card for card in decision.holding)
        if best_suit(mine)[0] < 10 * lowest - 16:
            self.spent = 0
            return the_pass
        prospects = self.prospects(decision)
        totals = [0, 0]
        for _ in self.worlds(72):
            deal = self.undealt(decision)
            for choice, call in enumerate((the_pass, lowest)):
                totals[choice] += self.auction(decision, deal, call, prospects)
        return lowest if totals[1] > totals[0] else the_pass

    def trump(self, decision: Decision) -> int:
        """Try the two suits with the best estimates."""
        mine = sum(1 << card for card in decision.holding)
        suits = sorted(decision.legal, key=lambda suit: -LAYOUTS[suit].estimate(mine))[:2]
        prospects = self.prospects(decision)
        bid = decision.hand.bid
        assert bid is not None
        totals = [0, 0]
        for _ in self.worlds(72):
            deal = self.undealt(decision)
            for i, suit in enumerate(suits):
                totals[i] += played(deal, decision, suit, decision.seat, bid, prospects)
        return suits[totals[1] > totals[0]]

    def discards(self, decision: DiscardDecision) -> list[int]:
        """Put away the lowest side cards, and the lowest trumps if they must go."""
        count = decision.max_count - decision.trump_count
        trumps = sorted(decision.trump_cards, key=rank)[: decision.trump_count]
        return sorted(decision.side_cards, key=rank)[:count] + trumps

    def play(self, decision: Decision) -> int:
        """Play each legal card in every world, and the rest with the quick policy."""
        seen = Seen(decision)
        layout, rng = seen.layout, decision.rng
        bits = [layout.bits[card] for card in decision.legal]
        prospects = self.prospects(decision)
        depth = 36 - sum(played.bit_count() for played in seen.played)
        totals = dict.fromkeys(unlike(layout, bits), 0)
        rounds = max(1, (len(totals) - 1).bit_length())
        spent = 0
        for _ in range(rounds):
            # The better half of the choices goes on to the next round, with what it has won.
            for _ in self.worlds(len(totals) * depth, self.nodes // rounds):
                world = seen.world(rng)
                low = layout.owner_of_two(world, seen.played)
                for bit in totals:
                    piles = seen.piles[:]
                    play_out(layout, world[:], piles, seen.trick, bit)
                    points = points_won(layout, piles, low)
                    totals[bit] += prospects.after(points, seen.bidder % 3, seen.bid)
            spent += self.spent
            ranked = sorted(totals, key=lambda bit: -totals[bit])
            totals = {bit: totals[bit] for bit in ranked[: (len(ranked) + 1) // 2]}
        self.spent = spent
        return layout.cards[next(iter(totals)).bit_length() - 1]

    def worlds(self, cost: int, nodes: int = 0) -> range:
        """Return as many as the nodes buy of worlds of this cost, taken for 72 at least."""
        count = (nodes or self.nodes) // max(cost, 72)
        self.spent = count * cost
        return range(count)

    def prospects(self, decision: Decision) -> Prospects:
        """Return what the scores make of a hand."""
        return Prospects(decision.hand.scores, decision.team, decision.rules.target_score or 21)

    def undealt(self, decision: Decision) -> list[list[int]]:
        """Return six holdings and the stock, of three deals the one that fits the calls best."""
        own = set(decision.holding)
        cards = [card for card in PACK if card not in own]
        rng, seat, dealer = decision.rng, decision.seat, decision.hand.dealer
        best: list[list[int]] = []
        least = 1000
        for _ in range(3):
            rng.shuffle(cards)
            deal = [cards[6 * i : 6 * i + 6] for i in range(5)]
            deal.insert(seat, list(own))
            high = doubt = 0
            for i, call in enumerate(decision.hand.calls):
                caller = (dealer + 1 + i) % 6
                if caller == seat:
                    strength = 0
                else:
                    strength = best_suit(sum(1 << card for card in deal[caller]))[0]
                    need = 10 * max(call if call > 1 else high + 1, 3)
                    doubt += max(0, need - strength if call > 1 else strength - need)
                high = max(high, call if call > 1 else 0)
            if doubt < least:
                best, least = [*deal, cards[30:]], doubt
            if not doubt:
                break
        return best

    def auction(
        self, decision: Decision, deal: list[list[int]], call: int, prospects: Prospects
    ) -> int:
        """Return the prospects if this seat calls so and the seats after it by their estimates."""
        hand, seat = decision.hand, decision.seat
        calls = [*hand.calls, call]
        for i in range(len(calls), 6):
            bid = max(3, *(c + 1 for c in calls))
            other = deal[(hand.dealer + 1 + i) % 6]
            strong = bid <= 6 and best_suit(sum(1 << c for c in other))[0] >= 10 * bid
            calls.append(bid if strong else 1)
        bid = max(calls)
        if bid < 3:
            return prospects.of(hand.scores, seat % 3)
        bidder = (hand.dealer + 1 + calls.index(bid)) % 6
        suit = -best_suit(sum(1 << c for c in deal[bidder]))[1]
        return played(deal, decision, suit, bidder, bid, prospects)


def played(
    deal: list[list[int]],
    decision: Decision,
    suit: int,
    bidder: int,
    bid: int,
    prospects: Prospects,
) -> int:
    """Return the prospects after the whole hand: exchange, six tricks, score."""
    layout = LAYOUTS[suit]
    hands = [layout.mask(cards) for cards in deal[:6]]
    exchanged(layout, hands, [layout.bits[card] for card in deal[6]], decision.hand.dealer)
    low = layout.owner_of_two(hands, [0] * 6)
    piles = [0, 0, 0]
    play_out(layout, hands, piles, Trick(bidder))
    return prospects.after(points_won(layout, piles, low), bidder % 3, bid)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A bot that searches.")
    parser.add_argument("--nodes", type=int, default=3000, metavar="NODES")
    nodes = parser.parse_args().nodes
    if nodes < LEAST_NODES:
        parser.error(f"--nodes must be at least {LEAST_NODES}, is {nodes}")
    run(Searching(nodes), name=f"searching {nodes}", version="1", max_batch=8)
