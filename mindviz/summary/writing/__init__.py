"""Queues recorded steps, encodes them in threads and appends them to log files."""
