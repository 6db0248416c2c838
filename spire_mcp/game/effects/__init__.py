"""What each action must change, may change and must not change, as data, and how a reading is judged by it."""
