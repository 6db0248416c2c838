"""The only code that may act: one action at a time, sent once, proved by reading."""
