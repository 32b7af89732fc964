"""What a case is made of: calls in a row, which may refer to what earlier ones have answered."""

import copy
from dataclasses import dataclass, field

from google.protobuf import text_format

from .outcome import Outcome
from .wire import CHANGING, METHODS, Timestamp

# A time of an earlier answer in a request: `nanos` says which, `seconds` holds an offset in microseconds.
_TIME_MARK = -1000


def time_of(slot, offset=0):
    """The time that a call saved in `slot` (a small number), as a placeholder."""
    return Timestamp(seconds=offset, nanos=_TIME_MARK - slot)


def token_of(slot):
    """The bytes (a transaction, a resume token) that a call saved in `slot`."""
    return f"$token:{slot}$".encode()


def text_of(slot):
    """The string (a page token) that a call saved in `slot`."""
    return f"$text:{slot}$"


class Memory:
    """What the calls of a case have saved, of one server."""

    def __init__(self):
        self.slots = {}

    def save(self, slot, value):
        self.slots[slot] = copy.deepcopy(value)

    def bind(self, message):
        """A copy of a request with its placeholders filled in."""
        if isinstance(message, bytes):
            return message
        bound = copy.deepcopy(message)
        self._fill(bound)
        return bound

    def _fill(self, message):
        if isinstance(message, Timestamp):
            self._fill_time(message)
            return
        for descriptor, value in message.ListFields():
            if descriptor.message_type is not None:
                if descriptor.message_type.GetOptions().map_entry:
                    for item in value.values():
                        if hasattr(item, "ListFields"):
                            self._fill(item)
                elif isinstance(value, (list, tuple)) or hasattr(value, "append"):
                    for item in value:
                        self._fill(item)
                else:
                    self._fill(value)
            elif isinstance(value, bytes) and value.startswith(b"$token:"):
                setattr(message, descriptor.name, self.slots.get(value[7:-1].decode()) or b"nothing was saved")
            elif isinstance(value, str) and value.startswith("$text:"):
                setattr(message, descriptor.name, self.slots.get(value[6:-1]) or "nothing was saved")

    def _fill_time(self, message):
        if message.nanos > _TIME_MARK:
            return
        saved = self.slots.get(_TIME_MARK - message.nanos) or Timestamp(seconds=1)
        micros = saved.seconds * 1_000_000 + saved.nanos // 1000 + message.seconds
        message.seconds, message.nanos = micros // 1_000_000, micros % 1_000_000 * 1000


def pick(messages, path):
    """The part of an answer that `path` (`0.write_results.1.update_time`) names; None if it is not there."""
    found = messages
    for part in path.split("."):
        if part.isdigit():
            if int(part) >= len(found):
                return None
            found = found[int(part)]
        elif hasattr(found, "DESCRIPTOR"):
            if found.DESCRIPTOR.fields_by_name[part].message_type is not None and not found.DESCRIPTOR.fields_by_name[
                    part].is_repeated and not found.HasField(part):
                return None
            found = getattr(found, part)
    return found


@dataclass
class Call:
    """One call of a method. `saves` maps slots to paths in the answer."""

    method: str
    request: object
    saves: dict = field(default_factory=dict)
    timeout: float = 10
    # Left out when nothing is in this slot.
    needs: str = ""

    @property
    def changes(self):
        if self.method in CHANGING:
            return True
        known = self.request.DESCRIPTOR.fields_by_name if hasattr(self.request, "DESCRIPTOR") else {}
        return "new_transaction" in known and self.request.HasField("new_transaction")

    def run(self, session):
        if self.needs and not session.memory.slots.get(self.needs):
            return Outcome(self.method, "NOT CALLED", "")
        bound = session.memory.bind(self.request)
        messages, code, details = session.client.call(self.method, bound, self.timeout)
        for slot, path in self.saves.items():
            saved = pick(messages, path)
            session.memory.save(slot, saved)
        return session.outcome(self.method, messages, code, details)

    def describe(self):
        return f"{self.method} {shown(self.request)}" + (f" saves {self.saves}" if self.saves else "")


@dataclass
class Case:
    family: str
    name: str
    steps: list


def call(method, saves=None, timeout=10, needs="", **fields):
    return Call(method, METHODS[method][0](**fields), saves or {}, timeout, needs)


def shown(message, limit=2000):
    if message is None:
        return ""
    text = repr(message) if isinstance(message, (bytes, str)) else text_format.MessageToString(message, as_one_line=True, as_utf8=True)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
