"""Says hello and never answers a decision: each one asked carries `timeout`, until it forfeits."""

from raw import play

play(lambda decision: None)
