"""Starts and never says hello. A failed start: `handshake`, at the roll call "not started"."""

import time

while True:
    time.sleep(3600)
