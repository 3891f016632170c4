"""Experiments in databases: what imports them, what reads them."""
