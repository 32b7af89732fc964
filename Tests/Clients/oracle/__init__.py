"""Differential test: the same requests to Google's emulator and to `hearth serve`, answers compared (design D10)."""
