"""Configurations of training runs on Steam Power."""
