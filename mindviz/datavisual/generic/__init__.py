"""The generic interface: three data classes, each listed and read, over any Store."""
