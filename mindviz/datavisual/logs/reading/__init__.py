"""Reads from snapshots, and from log files what is not in memory. `LogStore` stands on it."""
