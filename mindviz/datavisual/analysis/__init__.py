"""Computations on series: formulas, groups, projections, statistics. Pure functions."""
