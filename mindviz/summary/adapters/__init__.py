"""Adapters: what lets a SummaryCollector follow the trainings of a framework.

Each module is imported by those who use its framework, and imports it. `SummaryCollector` is what
it is called in each of them.
"""
