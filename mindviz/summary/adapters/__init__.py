"""Adapters: a `SummaryCollector` per framework, as a callback or a set of hooks.

Each module imports its framework, so import only the one you need.
"""
