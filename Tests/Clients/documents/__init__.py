"""Runs the shell commands of the project's pages as they are printed (dev/test documents)."""
