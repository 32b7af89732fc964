"""Steps of calls that may have to wait for one another."""

import threading
from dataclasses import dataclass

from .cases import Call, call
from .outcome import Outcome


@dataclass
class Background:
    """Begins a call, and continues."""

    key: str
    inner: Call
    changes = False

    @property
    def request(self):
        return self.inner.request

    def run(self, session):
        box = []
        thread = threading.Thread(target=lambda: box.append(self.inner.run(session)), daemon=True)
        thread.start()
        # Long enough to reach the server before the next call does, whichever it is.
        thread.join(0.15)
        session.background[self.key] = (thread, box)
        return Outcome(self.inner.method, "OK", "")

    def describe(self):
        return f"begin {self.key}: {self.inner.describe()}"


@dataclass
class Join:
    """Waits for a call that was begun; its outcome."""

    key: str
    request = None
    changes = True

    def run(self, session):
        thread, box = session.background[self.key]
        thread.join(60)
        return box[0] if box else Outcome("Join", "STILL WAITING", "")

    def describe(self):
        return f"await {self.key}"


def background(key, method, timeout=10, **fields):
    return Background(key, call(method, timeout=timeout, **fields))
