"""Plays the plan: many tables at once between real bot processes, sitting after sitting."""
