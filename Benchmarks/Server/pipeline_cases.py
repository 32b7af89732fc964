"""Pipelines over the wire, against the queries that they can replace; and what hostile ones cost others."""

import subprocess
import sys
import threading
import time

import documents
import pipeline_callers
from counting_client import CountingClient
from measuring import Result, allowed, interleaved, percentiles, rates
from processes import Child, Failed

# Tag of `ExecutePipelineResponse.results`, and of `RunQueryResponse.document`.
RESULTS, DOCUMENT = 0x12, 0x0A

SECONDS = 20
CALLERS = 8


def neighbours(machine, rounds):
    """Gets and commits one after the other, beside callers that run pipelines which need much memory or much time."""
    server = machine.load(machine.ready(machine.new_hearth()))
    callers = machine.add(
        Child([sys.executable, pipeline_callers.__file__, str(server.port), str(CALLERS)], machine.directory, stdout=subprocess.PIPE, text=True))
    if callers.process.stdout.readline().strip() != "ready":
        raise callers.failure("did not start")
    answers, most = [], [0]
    reader = threading.Thread(target=lambda: answers.extend(line.strip() for line in callers.process.stdout), daemon=True)
    reader.start()
    latencies = {"GetDocument": [], "Commit": []}
    client = CountingClient(server.port)
    end, number = time.perf_counter() + SECONDS, 0
    while time.perf_counter() < end:
        number = (number + 7_919) % 10_000
        latencies["GetDocument"].append(client.timed(documents.GET, documents.get(number)) * 1e3)
        latencies["Commit"].append(client.timed(documents.COMMIT, documents.increment()) * 1e3)
        if len(latencies["Commit"]) % 100 == 0:
            most.append(server.resident_megabytes())
    client.close()
    machine.stop(callers)
    reader.join(10)
    machine.stop(server)
    if not answers or any(" error" in answer or " 500" in answer for answer in answers):
        raise Failed(f"pipelines were answered with {answers[:20]}")
    for name, times in latencies.items():
        p50, p99 = percentiles(f"{name} beside {CALLERS} callers of hostile pipelines", times, "ms")
        yield p50
        yield allowed(f"{p99.name}, limit", p99.value, "ms", 50)
    yield Result("hostile pipelines that ended meanwhile", len(answers) / SECONDS, "calls/s")
    yield Result("server memory meanwhile, most", max(most), "MB")


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
