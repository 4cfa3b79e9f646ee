"""Measuring how good agents are: matches, ratings, protocols, intervals, data sets."""
