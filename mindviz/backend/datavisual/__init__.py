"""Routes of the training dashboard, one module per resource."""
