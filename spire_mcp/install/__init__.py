"""Telling a planner's host about this server: which file, which words, merged without losing anything."""
