"""Who decides: the route of a decision and the program's own choice among proved candidates."""
