"""What is known of a file and of a train job at one moment, frozen.

All that loaders and readers share: loading publishes a snapshot by swapping one reference, and
whoever holds it reads on undisturbed. No module here opens a file.
"""
