"""The loops over single verified actions, and the brief that hands a decision to the planner."""
