"""How soon a server answers, and how much memory it takes."""

import os
import random
import shutil
import statistics
import tempfile

import documents
from call_cases import EMULATOR
from counting_client import CountingClient
from measuring import Result, allowed, interleaved, times
from processes import Failed, load_rate

MILLION = 1_000_000


def start(machine, rounds):
    def first_answer(make):
        server = make()
        elapsed = server.first_answer() * 1e3
        machine.stop(server)
        return elapsed

    name = "start to first answer"
    ours, peer = interleaved(rounds, lambda: first_answer(machine.new_hearth), lambda: first_answer(machine.new_emulator))
    yield times(name, "ms", ours, EMULATOR, peer, 20)
    yield allowed(f"{name}, limit", statistics.median(ours), "ms", 150)


def memory(machine, rounds):
    idle, filled = [], []
    for make in (machine.new_hearth, machine.new_emulator):
        sizes = [[], []]
        # Memory hardly varies from start to start: three are enough, and the emulator takes its time.
        for _ in range(3):
            server = machine.ready(make())
            sizes[0].append(server.resident_megabytes())
            machine.load(server)
            sizes[1].append(server.resident_megabytes())
            machine.stop(server)
        idle.append(statistics.median(sizes[0]))
        filled.append(statistics.median(sizes[1]))
    yield allowed("server memory, idle, limit", idle[0], "MB", 60)
    yield Result("server memory, idle", idle[0], "MB", EMULATOR, idle[1], idle[1] / idle[0])
    yield Result("server memory, after 10,000 documents", filled[0], "MB", EMULATOR, filled[1], filled[1] / filled[0], 5)


def million(machine, rounds):
    """A server on a million documents, after gets, commits and queries all over them."""
    data = million_documents(machine)
    server = machine.new_hearth(data=data)
    seconds = server.first_answer()
    client = CountingClient(server.port, first_byte=0x0A)
    numbers = random.Random(1)
    for _ in range(10_000):
        client.check(documents.GET, documents.get(numbers.randrange(MILLION)))
    for group in range(200):
        client.check(documents.RUN_QUERY, documents.group(group % 100))
    load_rate(machine, server.port, documents.COMMIT, documents.increment(), in_flight=64)
    client.check(documents.RUN_QUERY, documents.whole_collection(limit=50_000), messages=50_000)
    client.close()
    size = server.resident_megabytes()
    machine.stop(server)
    yield allowed("server memory, 1,000,000 documents on disk, in use", size, "MB", 300)
    yield Result("start to first answer, 1,000,000 documents on disk", seconds * 1e3, "ms")


def million_documents(machine):
    """A data directory with a million documents: made once, and cached in the temporary directory between runs."""
    kept = os.path.join(tempfile.gettempdir(), "hearth-bench-million")
    if not os.path.exists(os.path.join(kept, "complete")):
        shutil.rmtree(kept, ignore_errors=True)
        os.makedirs(kept)
        # The server reports the path of a database's file.
        server = machine.ready(machine.new_hearth(data=kept))
        CountingClient(server.port).check(documents.COMMIT, documents.tick(0))
        machine.terminate(server)
        files = [os.path.join(place, name) for place, _, names in os.walk(kept) for name in names if name.endswith(".sqlite")]
        if len(files) != 1:
            raise Failed(f"expected one database file below {kept}, found {files}")
        filler = machine.probe("fill", files[0], str(MILLION))
        machine.stop(filler)
        with open(os.path.join(kept, "complete"), "w", encoding="ascii"):
            pass
    # The server changes what it works on: a copy, which costs a second.
    copy = machine.fresh_directory()
    shutil.copytree(kept, copy, dirs_exist_ok=True)
    return copy
