"""What `mindviz.open` gives: logs as tables, whatever holds them."""
