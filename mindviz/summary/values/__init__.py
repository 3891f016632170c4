"""From an array, a graph or a message to the record that a log stores."""
