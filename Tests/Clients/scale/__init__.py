"""A simulation of several nodes over one PostgreSQL server, by discrete events: docs/scale.md, dev/scale-simulation."""
