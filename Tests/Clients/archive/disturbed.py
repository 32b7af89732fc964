"""Kills a server with an archive under load, again and again; half of the time its disk is lost, too."""

import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from archive.served import Server, ended, hearth, load

# What a lost machine may lose.
SECONDS = 2.0


class Disturbance:
    def __init__(self, archive, folder, seed, options=(), access=(), environment=None):
        self.archive, self.folder = archive, Path(folder)
        self.options, self.access, self.environment = options, access, environment or {}
        self.random = random.Random(seed)
        # Acknowledged documents that must be there, with their commit times; and all that may be.
        self.expected, self.tried = {}, set()
        self.lost = self.kills = self.losses = self.moments = 0
        self.data = self.folder / "data"
        self.server = self.start()

    def start(self):
        self.started = time.time()
        return Server(str(self.data), self.archive, *self.options, *self.access, environment=self.environment).start()

    def restore(self, data, *options):
        return hearth("restore", self.archive, "--all", "--data", str(data), *self.access, *options, environment=self.environment)

    def round(self, number):
        writers = load(self.server, self.random.uniform(0.1, 2.5), number)
        killed = time.time()
        self.server.kill()
        acknowledged, tried = ended(writers)
        self.tried |= tried
        self.expected |= {name: (commit, when) for name, commit, when in acknowledged}
        if self.random.random() < 0.5:
            self.kills += 1
            self.server = self.start()
            self.check(self.server, killed=None)
        else:
            self.losses += 1
            shutil.rmtree(self.data)
            # A server that was lost within seconds may have left no complete copy: then that is said, and what is before it suffices.
            self.restore(self.data, *(["--up-to-gap"] if killed - self.started < SECONDS else []))
            self.server = self.start()
            self.check(self.server, killed=killed)

    def check(self, server, killed):
        """Everything acknowledged is there; of a lost machine everything but the last two seconds, and nothing else is missing."""
        there = set(server.documents("written"))
        if unknown := there - self.tried:
            raise AssertionError(f"these were never written: {sorted(unknown)[:5]}")
        missing = {name: self.expected[name] for name in set(self.expected) - there}
        limit = None if killed is None else killed - SECONDS
        late = {name: when for name, (_, when) in missing.items() if limit is None or when < limit}
        if late:
            raise AssertionError(f"{len(late)} acknowledged documents are missing, such as {sorted(late.items())[:3]}, killed at {killed}")
        if missing:
            # A prefix of the commits is there: nothing that was committed after the first missing one.
            first = min(commit for commit, _ in missing.values())
            after = [name for name in there if name in self.expected and self.expected[name][0] > first]
            if after:
                raise AssertionError(f"{after[0]} is there, and an earlier commit is not")
        self.lost += len(missing)
        for name in missing:
            del self.expected[name]

    def check_moments(self, count):
        """Stops the server cleanly: the archive has everything, and each moment is the commits up to it."""
        self.server.stop()
        present = sorted((commit, name) for name, (commit, _) in self.expected.items())
        for index in range(count + 1):
            commit, _ = present[-1] if index == count else self.random.choice(present)
            with tempfile.TemporaryDirectory(prefix="hearth-moment-") as folder:
                at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(commit // 1_000_000)) + f".{commit % 1_000_000:06d}Z"
                self.restore(folder, "--at", at, "--keep-times")
                there = self.written(folder)
                wanted = {name for time_, name in present if time_ <= commit}
                surplus = {name for name in there if name in self.expected and self.expected[name][0] > commit}
                if wanted - there or surplus:
                    raise AssertionError(f"at {at}: {sorted(wanted - there)[:3]} missing, {sorted(surplus)[:3]} too much")
                self.moments += 1
        self.server = self.start()

    @staticmethod
    def written(folder):
        """The ids of the written documents in a restored directory."""
        file = next(Path(folder).glob("*/_default.sqlite"))
        lines = hearth("query", "written", "--data", str(file), "--output", "jsonl", check=False)
        if lines.returncode != 0:
            raise AssertionError(lines.stderr)
        return {json.loads(line)["path"].rsplit("/", 1)[1] for line in lines.stdout.splitlines()}

    def verify(self):
        return hearth("archive", "verify", self.archive, *self.access, environment=self.environment).stdout


def main(rounds, seed):
    with tempfile.TemporaryDirectory(prefix="hearth-archived-") as folder:
        archive = Path(folder) / "archive"
        archive.mkdir()
        run = Disturbance(str(archive), folder, seed, ["--archive-interval=500ms", "--archive-base-bytes=200000"])
        for number in range(rounds):
            run.round(number)
            if number % 10 == 9:
                run.check_moments(3)
                print(f"{number + 1} rounds: {run.kills} kills, {run.losses} machines lost with {run.lost} documents of the last "
                      f"{SECONDS:g} s; {len(run.expected)} documents; {run.moments} moments restored", flush=True)
        run.server.stop()
        print(run.verify(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
