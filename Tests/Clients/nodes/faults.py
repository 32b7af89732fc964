"""Faults of nodes, of their connections, and of the PostgreSQL server (DN-9.4)."""

import time

from .proxy import HALF_ANSWER, HALF_REQUEST, LOST_ANSWER
from .recording import Epoch

COMMITS_LOST = "commits lost"
# Longer than the lease of a node, 5 s.
PAST_THE_LEASE = (5.5, 7.5)


class Faults:
    """Each fault is a method that begins it and, after some time, ends it; a round has one or two of them."""

    def __init__(self, cluster, random):
        self.cluster, self.random = cluster, random
        self.counts = {}
        # The one that the faults are for.
        self.round = None
        self.kinds = {
            "node killed": self.kill, "node stopped": self.stop, "node paused": self.pause,
            "node paused past its lease": self.pause_past_the_lease, "connections cut": self.cut,
            "connections delayed": self.delay, "answer lost": self.lose_answers,
            "half a request": self.halve_requests, "half an answer": self.halve_answers,
            "server unreachable": self.isolate, "backends terminated": self.terminate_backends,
            "PostgreSQL crashed": self.crash_server, "two nodes killed": self.kill_two,
            COMMITS_LOST: self.lose_commits}
        self._order = []

    def next_kind(self, kinds=None):
        """Every kind comes before one comes again."""
        self._order = [kind for kind in self._order if kind in (kinds or self.kinds)]
        if not self._order:
            self._order = self.random.sample(sorted(kinds or self.kinds), len(kinds or self.kinds))
        return self._order.pop()

    def cause(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.kinds[kind]()

    def _node(self):
        return self.random.choice(list(self.cluster.nodes.values()))

    def _proxy(self):
        return self.random.choice(list(self.cluster.proxies.values()))

    def _wait(self, least, most):
        time.sleep(self.random.uniform(least, most))

    def vary_delays(self, delays=None):
        """The server is not equally near to all nodes."""
        proxies = list(self.cluster.proxies.values())
        chosen = self.random.sample(delays or [0, 0, 0.002, 0.01, 0.03], len(proxies))
        for proxy, delay in zip(proxies, chosen):
            proxy.delay = delay

    # Nodes.

    def kill(self):
        node = self._node()
        node.kill()
        self._wait(0, 0.8)
        node.start()

    def stop(self):
        """As an operator does: calls end, streams are sent elsewhere."""
        node = self._node()
        node.stop()
        self._wait(0, 0.8)
        node.start()

    def kill_two(self):
        nodes = self.random.sample(list(self.cluster.nodes.values()), 2)
        for node in nodes:
            node.kill()
            self._wait(0, 0.3)
        for node in nodes:
            node.start()

    def pause(self):
        node = self._node()
        node.pause()
        self._wait(0.2, 4.5)
        node.resume()

    def pause_past_the_lease(self):
        node = self._node()
        node.pause()
        self._wait(*PAST_THE_LEASE)
        node.resume()

    # Connections between nodes and the server.

    def cut(self):
        for _ in range(self.random.randint(1, 4)):
            self._proxy().cut()
            self._wait(0.05, 0.5)

    def delay(self):
        proxy = self._proxy()
        usual, proxy.delay = proxy.delay, self.random.choice([0.1, 0.3])
        self._wait(1, 2)
        proxy.delay = usual

    def isolate(self):
        """New connections are turned away as well, for up to longer than the lease."""
        proxy = self._proxy()
        proxy.accepts = False
        proxy.cut()
        self._wait(0.5, 6.5)
        proxy.accepts = True

    def lose_answers(self):
        self._break(LOST_ANSWER)

    def halve_requests(self):
        self._break(HALF_REQUEST)

    def halve_answers(self):
        self._break(HALF_ANSWER)

    def _break(self, fault):
        """On all connections of a node, each at its next message: so the one that commits is among them."""
        for _ in range(self.random.randint(2, 5)):
            self._proxy().break_next(fault, count=100)
            self._wait(0.1, 0.5)

    # The server.

    def terminate_backends(self):
        for _ in range(self.random.randint(1, 4)):
            share = self.random.choice([0.2, 1])
            self.cluster.server.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                f"WHERE datname = 'hearth' AND pid <> pg_backend_pid() AND random() < {share}")
            self._wait(0.05, 0.5)

    def crash_server(self):
        self.cluster.server.stop("immediate")
        self._wait(0, 2.5)
        self.cluster.server.start()

    def lose_commits(self):
        """Like a fail-over to a standby that lags: the server has another timeline, and the last commits are gone.
        Clients rest meanwhile, so that it is known of every operation which history it belongs to."""
        server = self.cluster.server
        server.copy()
        self._wait(0.3, 1)
        self.round.hold()
        for proxy in self.cluster.proxies.values():
            proxy.accepts = False
            proxy.cut()
        server.lose_commits()
        after = server.execute(
            "SELECT last_commit FROM hearth.meta JOIN hearth.databases USING (db) "
            f"WHERE project = '{self.round.place.project}'")
        self.round.recording.epochs.append(Epoch(time.monotonic(), int(after or 0)))
        for proxy in self.cluster.proxies.values():
            proxy.accepts = True
        self.round.release()
