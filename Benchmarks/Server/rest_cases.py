"""Large requests and answers in JSON: what they cost, and what they cost others."""

import http.client
import json
import statistics
import subprocess
import sys
import threading
import time

import documents
import rest_callers
from counting_client import CountingClient
from measuring import Result, allowed, interleaved, percentiles
from processes import Child, Failed

SECONDS = 10
CALLERS = 8
PAGE = f"/v1/projects/{rest_callers.PROJECT}/databases/(default)/documents/pages?pageSize=400"


def decoding(machine, rounds):
    """Processor time of a commit of 2.9 MB from JSON to its writes, against that of decoding the same writes from protobuf."""
    file = machine.file("commit.json", rest_callers.commit(2.9).encode())
    sides = [machine.probe("decoding", side, file) for side in ("rest", "grpc")]
    for side in sides:
        side.measure(3)
    ours, peer = interleaved(rounds, *(lambda side=side: side.measure(10) * 1e3 for side in sides))
    for side in sides:
        machine.stop(side)
    value, other = statistics.median(ours), statistics.median(peer)
    yield Result("commit of 2.9 MB of small strings, decoded from JSON", value, "ms CPU", "CommitRequest(decoding:)", other, other / value)
    yield allowed("the same, times the cost of protobuf, limit", value / other, "×", 5)


def neighbours(machine, rounds):
    """Gets one after the other, over gRPC and REST, beside eight callers that send commits of 7 MB."""
    for kind, name in (("rest", "REST commits"), ("web", "messages of web pages")):
        server = machine.load(machine.ready(machine.new_hearth()))
        callers = machine.add(
            Child(
                [sys.executable, rest_callers.__file__, str(server.port), kind, str(CALLERS), "7"], machine.directory,
                stdout=subprocess.PIPE, text=True))
        if callers.process.stdout.readline().strip() != "ready":
            raise callers.failure("did not start")
        statuses = []
        reader = threading.Thread(target=lambda: statuses.extend(line.strip() for line in callers.process.stdout), daemon=True)
        reader.start()
        latencies = {"gRPC": [], "REST": []}
        client = CountingClient(server.port)
        plain = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        end = time.perf_counter() + SECONDS
        number = 0
        while time.perf_counter() < end:
            number = (number + 7_919) % 10_000
            latencies["gRPC"].append(client.timed(documents.GET, documents.get(number)) * 1e3)
            start = time.perf_counter()
            plain.request("GET", f"/v1/{documents.document_name(number)}")
            answer = plain.getresponse()
            answer.read()
            latencies["REST"].append((time.perf_counter() - start) * 1e3)
            if answer.status != 200:
                raise Failed(f"a get was answered with {answer.status}")
        client.close()
        plain.close()
        machine.stop(callers)
        reader.join(10)
        machine.stop(server)
        if not statuses or any(status.startswith("error") or status.startswith("5") for status in statuses):
            raise Failed(f"large requests were answered with {statuses[:20]}")
        for transport, times in latencies.items():
            p50, p99 = percentiles(f"gets over {transport} beside {CALLERS} callers of 7 MB {name}", times, "ms")
            yield p50
            yield allowed(f"{p99.name}, limit", p99.value, "ms", 50)
        yield Result(f"7 MB {name} answered meanwhile", len(statuses) / SECONDS, "calls/s")


def pages(machine, rounds):
    """What eight clients leave resident that read a page of 8.6 MB each, five times."""
    server = machine.ready(machine.new_hearth())
    text = "x" * 8_000
    for start in range(0, 400, 100):
        writes = [
            {"update": {"name": f"{rest_callers.DATABASE}/documents/pages/doc{number:05d}", "fields": documents_fields(number, text)}}
            for number in range(start, start + 100)
        ]
        post(server.port, rest_callers.COMMIT, json.dumps({"writes": writes}))
    idle = server.resident_megabytes()
    most, sizes = [idle], []
    is_over = threading.Event()

    def watch():
        while not is_over.wait(0.01):
            most.append(server.resident_megabytes())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    readers = [threading.Thread(target=lambda: [sizes.append(read_page(server.port)) for _ in range(5)]) for _ in range(CALLERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    is_over.set()
    watcher.join()
    # The server returns what it does not need a second later.
    time.sleep(3)
    left = server.resident_megabytes()
    machine.stop(server)
    if len(sizes) != 5 * CALLERS:
        raise Failed(f"{len(sizes)} of {5 * CALLERS} pages were read")
    name = f"server memory, {CALLERS} clients reading pages of {statistics.median(sizes) / 1e6:.1f} MB"
    yield allowed(f"{name}, afterwards, limit", left, "MB", 100)
    yield Result(f"{name}, most", max(most), "MB")


def documents_fields(number, text):
    """Many small numbers, which take twice as much room in JSON, beside a text."""
    return {f"n{index:03d}": {"integerValue": str(number + index)} for index in range(200)} | {"text": {"stringValue": text}}


def post(port, target, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", target, body.encode(), {"content-type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    if answer.status != 200:
        raise Failed(f"{answer.status}: {text[:300]!r}")


def read_page(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", PAGE)
    answer = connection.getresponse()
    size = 0
    while piece := answer.read(1 << 16):
        size += len(piece)
    connection.close()
    if answer.status != 200:
        raise Failed(f"a page was answered with {answer.status}")
    return size
