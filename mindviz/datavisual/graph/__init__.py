"""Computational graphs: one node model, whatever wrote the graph; scopes, edges, search."""
