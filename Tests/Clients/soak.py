"""Mixed load from several client processes on one `hearth serve`, and what the server takes meanwhile.

Every client gets, sets, updates, queries, listens and runs transactions, at a bounded rate, on the same documents. The parent
looks at the server every few seconds: resident memory, file descriptors, write-ahead log, database file. It ends by itself.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = "soak"
TEXT = "lorem ipsum dolor sit amet " * 40


def client(arguments):
    """One client process: prints how many operations it has done, by kind, and how many have failed."""
    os.environ["FIRESTORE_EMULATOR_HOST"] = arguments.address
    from google.cloud import firestore
    from google.cloud.firestore_v1.base_query import FieldFilter

    db = firestore.Client(project=PROJECT)
    chance = random.Random(arguments.client)
    things = db.collection("things")
    heard = [0]
    watches = [things.where(filter=FieldFilter("group", "==", arguments.client)).limit(20).on_snapshot(lambda *_: heard.__setitem__(0, heard[0] + 1)),
               things.document(f"t{arguments.client}").on_snapshot(lambda *_: heard.__setitem__(0, heard[0] + 1))]

    def thing():
        return things.document(f"t{chance.randrange(arguments.documents)}")

    def content():
        return {"group": chance.randrange(50), "n": chance.randrange(1_000_000), "tags": [f"tag{chance.randrange(20)}"], "text": TEXT[:chance.randrange(200, 1_000)]}

    @firestore.transactional
    def move(transaction):
        one, two = thing(), thing()
        found = one.get(transaction=transaction)
        transaction.set(two, {**content(), "from": found.id})
        transaction.set(db.document(f"counters/{chance.randrange(8)}"), {"n": firestore.Increment(1)}, merge=True)

    def batch():
        writes = db.batch()
        for _ in range(20):
            writes.set(thing(), content())
        writes.commit()

    kinds = [
        ("get", 30, lambda: thing().get()), ("set", 20, lambda: thing().set(content())),
        ("update", 15, lambda: thing().set({"n": firestore.Increment(1)}, merge=True)), ("batch", 5, batch),
        ("query", 10, lambda: list(things.where(filter=FieldFilter("group", "==", chance.randrange(50))).order_by("n").limit(20).stream())),
        ("count", 2, lambda: things.where(filter=FieldFilter("tags", "array_contains", f"tag{chance.randrange(20)}")).count().get()),
        ("delete", 3, lambda: thing().delete()), ("transaction", 10, lambda: move(db.transaction())),
        ("page", 1, lambda: [None for _ in zip(range(500), things.order_by("__name__").stream())]),
    ]
    weights = [weight for _, weight, _ in kinds]
    done, failed, problems = 0, 0, {}
    end = time.monotonic() + arguments.seconds
    while (now := time.monotonic()) < end:
        name, _, run = chance.choices(kinds, weights)[0]
        try:
            run()
            done += 1
        except Exception as error:  # noqa: BLE001
            failed += 1
            text = f"{name}: {type(error).__name__}: {str(error)[:120]}"
            problems[text] = problems.get(text, 0) + 1
        time.sleep(max(0.0, now + 1 / arguments.rate - time.monotonic()))
    for watch in watches:
        watch.unsubscribe()
    print(done, failed, heard[0], "; ".join(f"{count} × {text}" for text, count in sorted(problems.items())[:3]), flush=True)
    os._exit(0)


class Server:
    def __init__(self, binary, folder):
        self.folder = Path(folder)
        port_file = self.folder / "port"
        self.process = subprocess.Popen(
            [binary, "serve", "--host", "127.0.0.1", "--port", "0", "--port-file", str(port_file), "--data", str(self.folder / "data"), "--log-level", "warning"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not port_file.exists():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit("soak: hearth serve did not start")
            time.sleep(0.02)
        self.address = f"127.0.0.1:{int(port_file.read_text())}"

    def figures(self):
        """Megabytes of memory, of the log and of the database; open files."""
        status = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024

        def size(suffix):
            return sum(file.stat().st_size for file in self.folder.glob(f"data/*/*.sqlite{suffix}")) / 1_048_576
        return resident, size("-wal"), size(""), len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--hearth", required=True)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--documents", type=int, default=25_000)
    parser.add_argument("--rate", type=float, default=150, help="operations a second and client, at most")
    parser.add_argument("--memory", type=float, default=100, help="megabytes")
    parser.add_argument("--log", type=float, default=64, help="megabytes")
    parser.add_argument("--files", type=int, default=150)
    arguments = parser.parse_args()
    seconds = min(max(arguments.minutes, 0.1), 24 * 60) * 60

    with tempfile.TemporaryDirectory(prefix="hearth-soak-") as folder:
        server = Server(arguments.hearth, folder)
        clients = []
        most = [0.0, 0.0, 0.0, 0]
        try:
            print(f"{'minute':>7} {'memory':>9} {'log':>9} {'database':>9} {'files':>6}")
            clients = [
                subprocess.Popen(
                    [sys.executable, __file__, "--client", str(number), server.address, str(seconds), str(arguments.documents), str(arguments.rate)],
                    stdout=subprocess.PIPE, text=True)
                for number in range(arguments.clients)]
            begin, shown = time.monotonic(), 0.0
            while time.monotonic() < begin + seconds + 60 and any(each.poll() is None for each in clients):
                time.sleep(1)
                if server.process.poll() is not None:
                    raise SystemExit(f"soak: hearth serve has ended: {server.process.returncode}")
                now = server.figures()
                most = [max(pair) for pair in zip(most, now)]
                passed = (time.monotonic() - begin) / 60
                if passed >= shown:
                    print(f"{passed:7.1f} {now[0]:6.1f} MB {now[1]:6.1f} MB {now[2]:6.1f} MB {now[3]:6}", flush=True)
                    shown += max(seconds / 60 / 20, 0.25)
            reports = [each.communicate(timeout=10)[0].strip() if each.poll() is not None else "" for each in clients]
        finally:
            for each in clients:
                if each.poll() is None:
                    each.kill()
            server.stop()

    done = sum(int(report.split()[0]) for report in reports if report)
    failed = sum(int(report.split()[1]) for report in reports if report)
    heard = sum(int(report.split()[2]) for report in reports if report)
    print(f"\n{done} operations, {failed} failed, {heard} snapshots heard, {done / seconds:.0f} operations a second")
    for report in reports:
        if problem := " ".join(report.split()[3:]):
            print(f"  {problem}")
    bad = not all(reports) or server.process.returncode != 0 or failed > done / 1_000
    for name, found, bound, unit in [("memory", most[0], arguments.memory, "MB"), ("write-ahead log", most[1], arguments.log, "MB"), ("open files", most[3], arguments.files, "")]:
        bad = bad or found > bound
        print(f"{'✘' if found > bound else '✔'} {name}: {found:.0f} {unit} at most, {bound:.0f} {unit} allowed")
    if not all(reports) or server.process.returncode != 0 or failed > done / 1_000:
        print(f"✘ clients that did not finish: {reports.count('')}, failed operations: {failed}, exit code of the server: {server.process.returncode}")
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--client"]:
        number, address, seconds, documents, rate = sys.argv[2:7]
        client(argparse.Namespace(client=int(number), address=address, seconds=float(seconds), documents=int(documents), rate=float(rate)))
    sys.exit(main())
