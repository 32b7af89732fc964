"""Two outcomes side by side: the positions at which they differ."""

import re
from dataclasses import dataclass


@dataclass
class Diff:
    """One position. `theirs` is the emulator's."""

    family: str
    case: str
    step: object
    request: object
    method: str
    path: tuple
    theirs: object
    ours: object
    details: tuple = ("", "")

    @property
    def is_code(self):
        return self.path == ("code",)

    @property
    def place(self):
        """The path, the same over REST as over gRPC."""
        path = self.path[1:] if self.method == "REST" and self.path[:1] == ("body",) else self.path
        return tuple(re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), part) if isinstance(part, str) else part for part in path)

    @property
    def signature(self):
        head = next((part for part in self.path if isinstance(part, str)), "")
        codes = (self.theirs, self.ours) if self.is_code else ()
        return (self.family, self.method, head, codes)

    @property
    def line(self):
        """The difference in one line."""
        place = ".".join(map(str, self.path))
        texts = " / ".join(text.partition("\n")[0] for text in self.details if text)
        return f"{self.method} {place}: {_brief(self.theirs)} → {_brief(self.ours)}" + (f" ({texts})" if texts else "")

    def __str__(self):
        place = ".".join(map(str, self.path))
        lines = [f"{self.method} {place}:", f"    emulator {_brief(self.theirs)}", f"    hearth   {_brief(self.ours)}"]
        lines += [f"  {who}: {text}" for who, text in zip(("emulator", "hearth"), self.details) if text]
        return "\n".join(lines)


def _brief(found):
    """Documents by their names alone."""
    if isinstance(found, list) and found and all(isinstance(item, dict) and "fields" in item and "name" in item for item in found):
        return f"{len(found)} documents: " + ", ".join(item["name"].partition("/documents/")[2] for item in found)
    return repr(found)


def places(theirs, ours, path=()):
    """(path, theirs, ours) of every position at which two plain trees differ."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(set(theirs) | set(ours), key=str):
            yield from places(theirs.get(key), ours.get(key), (*path, key))
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (left, right) in enumerate(zip(theirs, ours)):
            yield from places(left, right, (*path, index))
    elif type(theirs) is not type(ours) or theirs != ours:
        yield path, theirs, ours
