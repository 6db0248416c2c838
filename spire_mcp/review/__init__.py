"""Looking back at what was done."""
