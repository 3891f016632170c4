"""Computational graphs of all formats in one node model: scopes, edges, search."""
