"""Answers in a form that can be compared: what must differ between two servers (times, tokens) becomes a label."""

import bisect
import time
from dataclasses import dataclass

from google.rpc import status_pb2

from .wire import Document, Timestamp, Value

COMMIT_TIMES = {"create_time", "update_time", "commit_time"}
TOKENS = {"transaction", "next_page_token", "stream_token", "resume_token", "stream_id"}


@dataclass
class Outcome:
    method: str
    code: str
    details: str
    value: object = None


def micros(stamp):
    return stamp.seconds * 1_000_000 + stamp.nanos // 1000


class Labels:
    """Times of the commits seen so far, which have to come in the same order on both servers."""

    def __init__(self):
        self.times = []

    def see(self, found):
        """Remembers every commit time of an answer."""
        if isinstance(found, dict):
            for key, item in found.items():
                if key in COMMIT_TIMES and isinstance(item, Timestamp):
                    if key != "update_time" or "name" not in found or "create_time" in found:
                        self._add(item)
                elif not (key == "writeResults" and "commit_time" in found):
                    self.see(item)
        elif isinstance(found, (list, tuple)):
            for item in found:
                self.see(item)
        elif hasattr(found, "ListFields"):
            # Results of writes have the commit's time or an earlier one; what else the emulator puts there is no commit's.
            commits = "commit_time" in found.DESCRIPTOR.fields_by_name
            missing = isinstance(found, Document) and not found.HasField("create_time")
            for descriptor, item in found.ListFields():
                if commits and descriptor.name == "write_results":
                    continue
                if isinstance(item, Timestamp):
                    if descriptor.name in COMMIT_TIMES and not missing:
                        self._add(item)
                elif descriptor.message_type is not None and not isinstance(item, Value) and descriptor.name != "fields":
                    self.see(item if hasattr(item, "ListFields") else list(item))

    def _add(self, stamp):
        at = micros(stamp)
        index = bisect.bisect_left(self.times, at)
        if index == len(self.times) or self.times[index] != at:
            self.times.insert(index, at)

    def commit(self, stamp):
        index = bisect.bisect_left(self.times, micros(stamp))
        return f"commit {index}" if index < len(self.times) and self.times[index] == micros(stamp) else "no commit's time"

    def read(self, stamp):
        before = bisect.bisect_right(self.times, micros(stamp))
        return "now" if before == len(self.times) else f"before commit {before}"

    def plain(self, found, key=None):
        """A tree of dictionaries, lists and scalars."""
        if isinstance(found, dict):
            return {name: self.plain(item, name) for name, item in found.items()}
        if isinstance(found, (list, tuple)):
            return [self.plain(item, key) for item in found]
        if isinstance(found, Timestamp):
            if key in COMMIT_TIMES:
                return self.commit(found)
            return self.read(found) if key == "read_time" else f"{found.seconds}.{found.nanos:09}"
        if isinstance(found, Value):
            return value_text(found)
        if isinstance(found, Document):
            return self._document(found)
        if isinstance(found, status_pb2.Status):
            return {"status": found.code}
        if hasattr(found, "ListFields"):
            return {d.name: self._field(d, item) for d, item in found.ListFields()}
        if key in TOKENS and found:
            return "a token"
        return found

    def _field(self, descriptor, item):
        if descriptor.message_type is not None and descriptor.message_type.GetOptions().map_entry:
            return {name: self.plain(value) for name, value in item.items()}
        if hasattr(item, "ListFields") or isinstance(item, (str, bytes, int, float)):
            return self.plain(item, descriptor.name)
        return [self.plain(each, descriptor.name) for each in item]

    def _document(self, document):
        plain = {"name": document.name, "fields": {name: value_text(value) for name, value in document.fields.items()}}
        for name in ("create_time", "update_time"):
            if document.HasField(name):
                plain[name] = self.commit(getattr(document, name))
        return plain


def value_text(value):
    """A value with its exact type: 1, 1.0, -0.0 and NaN are four texts."""
    kind = value.WhichOneof("value_type")
    if kind is None:
        return "no value"
    content = getattr(value, kind)
    if kind == "null_value":
        return "null"
    if kind == "array_value":
        return "[" + ", ".join(value_text(item) for item in content.values) + "]"
    if kind == "map_value":
        keys = sorted(content.fields, key=str.encode)
        return "{" + ", ".join(f"{key!r}: {value_text(content.fields[key])}" for key in keys) + "}"
    if kind == "timestamp_value":
        if abs(content.seconds - time.time()) < 86_400:
            return "the request's time, in " + ("milliseconds" if content.nanos % 1_000_000 == 0 else "microseconds")
        return f"time {content.seconds}.{content.nanos:09}"
    if kind == "geo_point_value":
        return f"geo {content.latitude!r},{content.longitude!r}"
    if kind in ("integer_value", "double_value", "boolean_value"):
        return repr(content)
    return f"{kind.removesuffix('_value')} {content!r}" if hasattr(content, "__len__") and len(content) < 400 else f"{kind} of {len(content)}"


def collapse(method, messages):
    """A stream of messages as one thing, without what its contract leaves open (QR-45, QR-50)."""
    if method == "RunQuery":
        return _query(messages)
    if method == "BatchGetDocuments":
        return _lookups(messages)
    return messages[0] if len(messages) == 1 else messages


def _transactions(messages, content):
    """Where the id of a new transaction came."""
    places = [index for index, message in enumerate(messages) if message.transaction]
    if not places:
        return "none"
    alone = not messages[places[0]].HasField(content)
    return f"in message {places}, " + ("alone" if alone else "with a result")


def _query(messages):
    skipped = [(index, message.skipped_results) for index, message in enumerate(messages) if message.skipped_results]
    return {
        "documents": [message.document for message in messages if message.HasField("document")],
        "read_time": sorted({micros(m.read_time) for m in messages if m.HasField("read_time")}) and messages[-1].read_time,
        "without_read_time": sum(not m.HasField("read_time") and not m.transaction for m in messages),
        "empty_messages": sum(not m.HasField("document") and not m.transaction for m in messages),
        "skipped": sum(number for _, number in skipped),
        "skipped_in": [index for index, _ in skipped],
        "new_transaction": _transactions(messages, "document"),
        "done": any(message.done for message in messages),
        "explain_metrics": [m.explain_metrics for m in messages if m.HasField("explain_metrics")],
    }


def _lookups(messages):
    found = [message.found for message in messages if message.HasField("found")]
    return {
        "found": sorted(found, key=lambda document: document.name),
        "missing": sorted(message.missing for message in messages if message.missing),
        "read_time": [m.read_time for m in messages if m.HasField("read_time")][-1:],
        "without_read_time": sum(not m.HasField("read_time") and not m.transaction for m in messages),
        "new_transaction": _transactions(messages, "found"),
    }
