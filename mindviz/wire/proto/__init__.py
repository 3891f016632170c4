"""The three formats' messages. The .proto files are ours; `make proto` regenerates the modules."""
