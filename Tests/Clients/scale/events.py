"""Discrete events: processes that wait for time, for cores, for a lock and for the disk. All times are in seconds."""

import heapq
import itertools
from collections import deque


class Simulation:
    """A process is a generator. It yields a time to wait, a float, or what it waits for, which has `begin(process)`."""

    def __init__(self):
        self.now = 0.0
        self._events = []
        self._numbers = itertools.count()

    def at(self, time, call, *arguments):
        heapq.heappush(self._events, (time, next(self._numbers), call, arguments))

    def start(self, process):
        self.at(self.now, self.resume, process)

    def resume(self, process):
        wait = next(process, None)
        if wait is None:
            return
        if isinstance(wait, float):
            self.at(self.now + wait, self.resume, process)
        else:
            wait.begin(process)

    def run(self, seconds):
        end = self.now + seconds
        while self._events and self._events[0][0] <= end:
            self.now, _, call, arguments = heapq.heappop(self._events)
            call(*arguments)
        self.now = end


class Cores:
    """Processor cores that work in turns of at most `turn` seconds, as an operating system shares them out."""

    def __init__(self, simulation, count, turn=0.002):
        self.simulation, self.turn = simulation, turn
        self.idle = count
        self.used = 0.0
        self._line = deque()

    def work(self, seconds):
        return _Work(self, seconds)

    def add(self, work):
        if self.idle:
            self.idle -= 1
            self._run(work)
        else:
            self._line.append(work)

    def _run(self, work):
        turn = min(self.turn, work.left)
        work.left -= turn
        self.used += turn
        self.simulation.at(self.simulation.now + turn, self._stop, work)

    def _stop(self, work):
        if work.left > 1e-9:
            self._line.append(work)
        else:
            self.simulation.resume(work.process)
        if self._line:
            self._run(self._line.popleft())
        else:
            self.idle += 1


class _Work:
    def __init__(self, cores, seconds):
        self.cores, self.left = cores, seconds

    def begin(self, process):
        self.process = process
        self.cores.add(self)


class Row:
    """The row of a database: one holder, the others in line."""

    def __init__(self, simulation):
        self.simulation = simulation
        self.is_held = False
        self._line = deque()

    def begin(self, process):
        if self.is_held:
            self._line.append(process)
        else:
            self.is_held = True
            self.simulation.at(self.simulation.now, self.simulation.resume, process)

    def release(self):
        if self._line:
            self.simulation.at(self.simulation.now, self.simulation.resume, self._line.popleft())
        else:
            self.is_held = False


class Disk:
    """Flushes the write-ahead log: one flush at a time, for all that had been written when it began."""

    def __init__(self, simulation, seconds):
        self.simulation, self.seconds = simulation, seconds
        self._is_busy = False
        self._waiting = []

    def begin(self, process):
        self._waiting.append(process)
        if not self._is_busy:
            self._flush()

    def _flush(self):
        self._is_busy = True
        served, self._waiting = self._waiting, []
        self.simulation.at(self.simulation.now + self.seconds, self._finish, served)

    def _finish(self, served):
        self._is_busy = False
        for process in served:
            self.simulation.resume(process)
        if self._waiting and not self._is_busy:
            self._flush()
