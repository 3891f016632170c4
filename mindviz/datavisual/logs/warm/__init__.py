"""The warm cache: what was read of log files, kept for the next start."""
