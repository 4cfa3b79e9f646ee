"""Configurations of training runs on Steam (2009)."""
