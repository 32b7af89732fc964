"""`hearth import`: how fast, and in how much memory."""

import json
import os
import subprocess
import time

import documents
from measuring import Result, allowed
from processes import Absent, Failed, dies_with_parent

# 34,006 cities lie beside the repository, or where this variable says.
CITIES = os.environ.get("HEARTH_CITIES", os.path.join(os.path.dirname(__file__), "../../../shared/data/cities.jsonl"))
GIGABYTE = 1_000_000_000


def import_file(machine, file, *place):
    """Seconds, and the megabytes the process had at its peak."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [f"{machine.build}/hearth", "import", file, *place, "--project", documents.PROJECT],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=dies_with_parent,
    )  # fmt: skip
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise Failed(f"hearth import: {status}: {errors[-400:]}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def cities(machine, rounds):
    path = machine.file("cities.jsonl", cities_lines())
    count = sum(1 for _ in open(path, "rb"))
    server = machine.hearth()
    for where, place in (
        ("a file", lambda: ("--data", os.path.join(machine.fresh_directory(), "cities.sqlite"))),
        ("a server", lambda: ("--server", f"127.0.0.1:{server.port}")),
    ):
        took = sorted(import_file(machine, path, *place())[0] for _ in range(min(rounds, 5)))
        yield Result(f"import of {count:,} cities into {where}", count / took[len(took) // 2], "docs/s")


def cities_lines():
    """The cities as documents of a collection."""
    if not os.path.exists(CITIES):
        raise Absent(f"no cities at {CITIES}")
    lines = []
    with open(CITIES, encoding="utf-8") as file:
        for number, line in enumerate(file):
            city = json.loads(line)
            lines.append(json.dumps({"path": f"cities/{city.get('id', number)}", "fields": city}, ensure_ascii=False))
    return ("\n".join(lines) + "\n").encode()


def gigabyte(machine, rounds):
    path = os.path.join(machine.directory, "gigabyte.jsonl")
    text = "x" * 900
    with open(path, "w", encoding="ascii") as file:
        size = number = 0
        while size < GIGABYTE:
            size += file.write(json.dumps({"path": f"large/doc{number:07d}", "fields": {"n": number, "text": text}}) + "\n")
            number += 1
    data = os.path.join(machine.fresh_directory(), "large.sqlite")
    seconds, megabytes = import_file(machine, path, "--data", data)
    os.remove(path)
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(data + suffix):
            os.remove(data + suffix)
    yield allowed("import of 1 GB of JSON lines, memory", megabytes, "MB", 150)
    yield Result("import of 1 GB of JSON lines", number / seconds, "docs/s")
