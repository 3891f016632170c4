"""Loading and cache: from bytes in a log file to frozen series."""
