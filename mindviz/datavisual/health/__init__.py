"""What is wrong with a run: in its log files and in its series."""
