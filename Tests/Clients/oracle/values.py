"""Values, documents, paths: short to write, corner cases at hand, and random ones."""

import math

from google.protobuf import timestamp_pb2
from google.type import latlng_pb2

from .wire import ROOT, Value


def v(x):
    """The Value of a Python object; a Value stays what it is."""
    if isinstance(x, Value):
        return x
    if x is None:
        return Value(null_value=0)
    if isinstance(x, bool):
        return Value(boolean_value=x)
    if isinstance(x, int):
        return Value(integer_value=x)
    if isinstance(x, float):
        return Value(double_value=x)
    if isinstance(x, str):
        return Value(string_value=x)
    if isinstance(x, bytes):
        return Value(bytes_value=x)
    if isinstance(x, (list, tuple)):
        return Value(array_value={"values": [v(item) for item in x]})
    if isinstance(x, dict):
        return Value(map_value={"fields": fields(x)})
    raise TypeError(x)


def fields(x):
    return {key: v(item) for key, item in x.items()}


def ts(seconds, nanos=0):
    return Value(timestamp_value=timestamp_pb2.Timestamp(seconds=seconds, nanos=nanos))


def geo(latitude, longitude):
    return Value(geo_point_value=latlng_pb2.LatLng(latitude=latitude, longitude=longitude))


def ref(path, root=ROOT):
    return Value(reference_value=f"{root}/{path}")


def vector(*components):
    return v({"__type__": "__vector__", "value": [v(float(c)) if not isinstance(c, Value) else c for c in components]})


def name(path):
    return f"{ROOT}/{path}"


def document(path, **content):
    return {"name": name(path), "fields": fields(content)}


def update(path, content=None, mask=None, transforms=None, current=None):
    """A Write, as a dictionary: of the whole document unless there is a mask."""
    write = {"update": {"name": name(path), "fields": fields(content or {})}}
    if mask is not None:
        write["update_mask"] = {"field_paths": mask}
    if transforms:
        write["update_transforms"] = transforms
    if current is not None:
        write["current_document"] = current
    return write


MAX, MIN = 2**63 - 1, -(2**63)
NAN, INF = math.nan, math.inf

NUMBERS = [
    0, 0.0, -0.0, 1, 1.0, -1, 1.5, MAX, MIN, 2**53, 2**53 + 1, float(2**53), 9.223372036854775807e18, -9.223372036854775808e18,
    5e-324, 1.7976931348623157e308, NAN, INF, -INF,
]

# One or more of each type, neighbours in the order of types included (VAL-1).
CORNERS = [
    None, False, True, *NUMBERS,
    ts(-62_135_596_800), ts(-1, 999_999_000), ts(0), ts(0, 1000), ts(1_700_000_000, 123_456_000), ts(253_402_300_799, 999_999_000),
    "", "\0", "a", "A", "aa", "b", "é", "e\u0301", "\uffff", "\U0001f600", "__x__",
    b"", b"\0", b"a", b"\xff", b"\x7f\x80",
    ref("c/a"), ref("c/b"), ref("c/a/d/e"), ref("c/__id7__"), ref("c/__id12__"), ref("c/7"),
    geo(0.0, 0.0), geo(0.0, 1.0), geo(-90.0, 180.0), geo(90.0, -180.0),
    [], [None], [1], [1.0], [1, 2], [2], [NAN], ["a"], [{"a": 1}], [b""],
    vector(1), vector(1, 2), vector(1, 3), vector(2), vector(0.0),
    {}, {"a": 1}, {"a": 1.0}, {"a": 1, "b": 0}, {"a": 2}, {"b": 0}, {"a": None}, {"a": {"b": []}}, {"é": 1},
]

FIELD_NAMES = ["a", "b", "n", "m", "x.y", "back`tick", "0", "é", "sp ace", "_", "__", "a\\b"]


def quoted(*segments):
    """The canonical field path of raw names (DM-18)."""
    def one(segment):
        simple = segment and not segment[0].isdigit() and all(c.isascii() and (c.isalnum() or c == "_") for c in segment)
        if simple:
            return segment
        return "`" + segment.replace("\\", "\\\\").replace("`", "\\`") + "`"
    return ".".join(one(segment) for segment in segments)


class Chance:
    """Random choices of values and documents."""

    def __init__(self, random):
        self.random = random

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def number(self):
        return self.pick([*NUMBERS, self.random.randint(-3, 3), self.random.randint(-30, 30) / 4])

    def value(self, depth=0):
        """Often from a small pool, so that values meet equal ones."""
        roll = self.random.random()
        if roll < 0.35:
            return v(self.random.randint(-2, 3))
        if roll < 0.5:
            return v(self.pick([0.0, 1.0, 1.5, -0.0, 2.0, NAN]))
        if roll < 0.65:
            return v(self.pick(["a", "b", "ab", "", None, True, False]))
        if roll < 0.8 or depth > 2:
            return v(self.pick(CORNERS))
        if roll < 0.9:
            items = [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
            return v([item for item in items if not item.HasField("array_value") and not _is_vector(item)])
        return v({self.pick(["a", "b", "x.y"]): self.value(depth + 1) for _ in range(self.random.randint(0, 2))})

    def content(self, names=("a", "b", "n", "m")):
        content = {name: self.value() for name in names if self.chance(70)}
        if self.chance(50):
            content["m"] = v({key: self.value(1) for key in ("x", "y") if self.chance(60)})
        if self.chance(40):
            content["t"] = v([self.pick([1, 1.0, 2, "a", None, NAN, True]) for _ in range(self.random.randint(0, 3))])
        return content


def _is_vector(value):
    return value.HasField("map_value") and "__type__" in value.map_value.fields
