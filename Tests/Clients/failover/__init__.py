"""Fail-over of the PostgreSQL server under several nodes (docs/distributed.md)."""
