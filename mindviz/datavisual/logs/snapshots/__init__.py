"""What is known of a file or train job at one moment, frozen.

Loaders publish a snapshot by swapping one reference; readers keep using theirs. No module here
opens a file.
"""
