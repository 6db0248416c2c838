"""The practice game: a seeded Act 1 run behind the bridge's HTTP contract."""
