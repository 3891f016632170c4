"""Answers to eight questions about logs, within a budget of tokens: docs/asking.md."""
