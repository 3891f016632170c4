"""The messages that are not read and written by hand; `make proto` regenerates the modules."""
