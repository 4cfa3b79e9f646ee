"""Protocols of Steam Power."""
