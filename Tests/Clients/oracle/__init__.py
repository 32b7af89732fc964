"""Differential test: the same requests to Google's emulator and to `hearth serve`, answers compared (docs/decisions/0007)."""
