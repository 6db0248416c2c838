"""The commands: what each takes, what it calls, and how its one result is printed."""
