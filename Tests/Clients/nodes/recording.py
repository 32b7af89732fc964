"""What clients asked for and what they were answered.

Moments are seconds of the monotonic clock; times are Hearth's, in microseconds.
"""

import dataclasses
import threading
import typing

ACKNOWLEDGED, REFUSED, UNKNOWN = "acknowledged", "refused", "unknown"
FOREVER = float("inf")
MARKS = "marks"


class Version(typing.NamedTuple):
    """A state of a document: its fields as sorted pairs, and its update time."""

    fields: tuple
    time: int

    @staticmethod
    def of(fields, time):
        return Version(tuple(sorted(fields.items())), time)

    def get(self, name):
        return dict(self.fields).get(name)


@dataclasses.dataclass
class Change:
    """One write. `set` replaces the document; `merge` sets `fields`, adds `amount` to the field n; `delete` removes."""

    path: str
    kind: str
    fields: dict = dataclasses.field(default_factory=dict)
    amount: int = 0
    # Nothing, ("exists", bool) or ("updated", time).
    condition: tuple | None = None

    def applied(self, version, time):
        if self.kind == "delete":
            return None
        if self.kind == "set":
            return Version.of(self.fields, time)
        fields = dict(version.fields) if version else {}
        fields.update(self.fields)
        if self.amount:
            fields["n"] = fields.get("n", 0) + self.amount
        return Version.of(fields, time)

    def is_allowed(self, version):
        if self.condition is None:
            return True
        kind, value = self.condition
        return (version is not None) == value if kind == "exists" else version is not None and version.time == value


class Documents(typing.NamedTuple):
    """A target or a read: these documents."""

    paths: tuple

    def __str__(self):
        return ", ".join(self.paths)


class Query(typing.NamedTuple):
    """A target or a read: the documents of a collection, or those of them whose field g has a value."""

    collection: str
    group: int | None = None

    def __str__(self):
        return self.collection if self.group is None else f"{self.collection} where g == {self.group}"

    def finds(self, version):
        return self.group is None or version.get("g") == self.group


@dataclasses.dataclass
class Read:
    """`found` has the documents that exist. `asked` is None for the latest state, else the time that was asked for."""

    client: str
    node: str
    start: float
    end: float
    what: Documents | Query
    found: dict
    time: int
    asked: int | None = None

    def __str__(self):
        return f"{self.client} reads {self.what} on {self.node} at {self.time}"


@dataclasses.dataclass
class Commit:
    """A commit also creates a document of its own, its mark, which says whether and when it was applied.

    `reads` are those of its transaction. `batch` is the number of a batch of a resumable Write stream, named `stream`.
    """

    id: str
    client: str
    node: str
    changes: list
    start: float
    end: float = FOREVER
    outcome: str = UNKNOWN
    time: int | None = None
    code: str = ""
    reads: list = dataclasses.field(default_factory=list)
    stream: str | None = None
    batch: int = 0

    @property
    def mark(self):
        return f"{MARKS}/{self.id}"

    @property
    def all_changes(self):
        return [*self.changes, Change(self.mark, "set", {"v": self.id})]

    def __str__(self):
        return f"commit {self.id} of {self.client} on {self.node}" + (f" at {self.time}" if self.time else "")


@dataclasses.dataclass
class Snapshot:
    """What a listener shows once all its targets are at `time`. `delivered` are the changes since the snapshot before.

    `asked` is the moment of the request if this is the first snapshot behind it, `resumed` whether it had a token.
    """

    listener: str
    node: str
    received: float
    time: int
    # Target → path → version.
    views: dict
    # (target, path, version or None for one that left, whether the listener had exactly this before)
    delivered: list = dataclasses.field(default_factory=list)
    asked: float | None = None
    resumed: bool = False

    def __str__(self):
        return f"snapshot of {self.listener} on {self.node} at {self.time}"


@dataclasses.dataclass
class Deployment:
    """From the answer on only `subjects` are granted: names of what rules allow, or tokens that are not revoked.

    The end of one without an answer is FOREVER: it may be in effect from its start on, or never.
    """

    start: float
    end: float
    subjects: frozenset


@dataclasses.dataclass
class Request:
    """A request that rules decide. Without a decision (no answer, or the node had no lease) it is not recorded."""

    client: str
    node: str
    start: float
    end: float
    subject: str
    is_granted: bool


@dataclasses.dataclass
class Epoch:
    """A history of the database begins: of commits from before `start` only those up to `after` belong to it."""

    start: float
    after: int


@dataclasses.dataclass
class Delivery:
    """A version that a guest read, or received as a listener. `asked` is the moment of its request."""

    client: str
    node: str
    asked: float
    received: float
    subject: str
    version: Version


class Recording:
    """Of one round. The lists are appended to by the clients' threads."""

    def __init__(self):
        self.commits, self.reads, self.snapshots = [], [], []
        self.deployments, self.requests, self.deliveries, self.epochs = [], [], [], []
        # What a client sees and may not happen at any time, in words.
        self.complaints = []
        self.counts = {}
        # Node → path → (version, create time), when everything has come to rest.
        self.final = {}
        self._lock = threading.Lock()

    def count(self, what, number=1):
        with self._lock:
            self.counts[what] = self.counts.get(what, 0) + number
