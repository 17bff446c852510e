"""Burns a core for as long as it lives, asked or not, and answers as it should.

No fault of its own, and none of the others': what it costs them is noted as the machine's trouble.
"""

import threading

from raw import play


def spin() -> None:
    while True:
        pass


threading.Thread(target=spin, daemon=True).start()
play()
