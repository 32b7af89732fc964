"""The states of the documents in the order of commit times."""

import bisect
import collections

from .recording import Documents


class Replay:
    """Of commits whose time is known. `epochs`: histories that were cut, in order."""

    def __init__(self, commits, epochs=()):
        self._epochs = sorted(epochs, key=lambda epoch: epoch.start)
        self._commits = sorted(commits, key=lambda commit: commit.time)
        # For each epoch: path → times and versions.
        self._histories = [self._history(number) for number in range(len(self._epochs) + 1)]

    def epoch(self, moment):
        """The number of the history in which an operation that started at a moment ran."""
        return sum(epoch.start <= moment for epoch in self._epochs)

    def commits(self, epoch):
        return [commit for commit in self._commits if self._belongs(commit, epoch)]

    def _belongs(self, commit, epoch):
        own = self.epoch(commit.start)
        return own <= epoch and all(commit.time <= each.after for each in self._epochs[own:epoch])

    def _history(self, epoch):
        history = collections.defaultdict(lambda: ([], []))
        for commit in self.commits(epoch):
            for change in commit.all_changes:
                times, versions = history[change.path]
                version = change.applied(versions[-1] if versions else None, commit.time)
                if times and times[-1] == commit.time:
                    versions[-1] = version
                else:
                    times.append(commit.time)
                    versions.append(version)
        return dict(history)

    def version(self, path, time, epoch=0):
        """The state of a document at a time, commits at exactly this time included; None if it does not exist."""
        times, versions = self._histories[epoch].get(path, ((), ()))
        index = bisect.bisect_right(times, time)
        return versions[index - 1] if index else None

    def paths(self, epoch=0):
        return self._histories[epoch].keys()

    def view(self, what, time, epoch=0):
        """Path → version of what a read or a target shows at a time."""
        if isinstance(what, Documents):
            found = {path: self.version(path, time, epoch) for path in what.paths}
            return {path: version for path, version in found.items() if version}
        prefix = what.collection + "/"
        found = {path: self.version(path, time, epoch) for path in self.paths(epoch) if path.startswith(prefix)}
        return {path: version for path, version in found.items() if version and what.finds(version)}


def difference(seen, expected):
    """In words; an empty text if both are equal."""
    parts = []
    for path in sorted(seen.keys() | expected.keys()):
        if seen.get(path) != expected.get(path):
            parts.append(f"{path} is {_text(seen.get(path))}, not {_text(expected.get(path))}")
    return "; ".join(parts[:3]) + (f"; and {len(parts) - 3} more" if len(parts) > 3 else "")


def _text(version):
    if version is None:
        return "absent"
    return f"{{{', '.join(f'{name}: {value}' for name, value in version.fields)}}} of {version.time}"
