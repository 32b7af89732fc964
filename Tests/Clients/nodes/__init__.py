"""Several nodes of `hearth serve` over one PostgreSQL server: starting them, disturbing them, and checking what their clients saw."""
