"""The wire: the bridge's HTTP client and the reading of its answers."""
