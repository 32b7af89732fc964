"""Families of cases. Each is a module with `cases(seed, count, quick)`, an iterable of Case: fixed tables, then random ones."""

from . import aggregations, filters, illegal_writes, listen, preconditions, queries, reads, rest, transactions, transforms, write_stream, writes

FAMILIES = {
    module.__name__.rpartition(".")[2]: module
    for module in (preconditions, transforms, writes, illegal_writes, filters, queries, aggregations, reads, transactions, listen, write_stream, rest)
}
