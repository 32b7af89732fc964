"""Pipelines over the wire, against the queries that they can replace."""

import documents
from counting_client import CountingClient
from measuring import allowed, interleaved, rates

# Tag of `ExecutePipelineResponse.results`, and of `RunQueryResponse.document`.
RESULTS, DOCUMENT = 0x12, 0x0A


def streamed(machine, rounds, count=100_000):
    """All documents of a collection, 100 MB of them."""
    server = machine.load(machine.hearth(), count)
    pipelines, queries = CountingClient(server.port, first_byte=RESULTS), CountingClient(server.port, first_byte=DOCUMENT)
    sides = [
        lambda: count / pipelines.timed(documents.EXECUTE_PIPELINE, documents.pipeline_of_collection(), wanted=1),
        lambda: count / queries.timed(documents.RUN_QUERY, documents.whole_collection(), wanted=count),
    ]
    sides[1]()
    before = server.resident_megabytes()
    sides[0]()
    after = server.resident_megabytes()
    ours, peer = interleaved(rounds, *sides)
    for client in (pipelines, queries):
        client.close()
    yield rates(f"pipeline streaming {count:,} documents of 1 KB", "docs/s", ours, "RunQuery of the same", peer, 0.8)
    yield allowed("server memory, more after 100 MB of a pipeline than after RunQuery", max(after - before, 0.1), "MB", 64)
