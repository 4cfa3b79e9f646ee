"""Scenes of Steam Power, and how they are drawn as SVG and as text."""
