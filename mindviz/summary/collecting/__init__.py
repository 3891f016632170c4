"""Records the usual metrics of a training automatically."""
