"""A listener that records every snapshot, and that resumes with its token on any node when its stream ends."""

import queue
import threading
import time

import grpc
from google.cloud.firestore_v1.types import firestore as methods

from .calls import microseconds, raw, text
from .recording import Snapshot

CHANGES = raw(methods.TargetChange)
# Behind these a target is asked for again with its token; any other cause is a defect.
PASSING = {8, 10, 14}  # RESOURCE_EXHAUSTED, ABORTED, UNAVAILABLE


class ListenStream:
    """One Listen call. `views` and `token` are those of the last snapshot of the stream before it, or empty."""

    def __init__(self, name, calls, targets, recording, views=None, token=b""):
        self.name, self.targets, self.recording = name, targets, recording
        self.node = calls.name
        self.views = {target: dict((views or {}).get(target, {})) for target in targets}
        self.token = token
        # The views and the token of one snapshot, replaced together.
        self.kept = (self.views, token) if token else None
        self.was_resumed = bool(token)
        # Why the stream cannot be resumed with its token; None if it can.
        self.lost = None
        self.snapshots = 0
        self._ids = dict(enumerate(targets, 1))
        self._current = set()
        self._pending = []
        self._shown = {target: dict(view) for target, view in self.views.items()}
        self._requests = queue.Queue()
        for id, target in self._ids.items():
            self._requests.put(self._request(calls.place, id, target))
        self._place = calls.place
        self.asked = time.monotonic()
        self.call = calls.listen(iter(self._requests.get, None))

    def _request(self, place, id, target):
        request = raw(methods.ListenRequest)(database=place.database)
        request.add_target.CopyFrom(place.target(id, target))
        if self.token:
            request.add_target.resume_token = self.token
            request.add_target.expected_count.value = len(self.views[target])
        return request

    def close(self):
        self.call.cancel()
        self._requests.put(None)

    def read(self, is_enough=lambda: False):
        """Follows the stream to its end, or until there is enough. Returns the error it ended with, if any."""
        try:
            for response in self.call:
                self._receive(response)
                if self.lost or is_enough():
                    break
        except grpc.RpcError as error:
            return error
        finally:
            self.close()
        return None

    def _receive(self, response):
        kind = response.WhichOneof("response_type")
        if kind == "target_change":
            self._change_target(response.target_change)
        elif kind == "document_change":
            change = response.document_change
            path, version = self._place.found(change.document)
            self._change(path, version, change.target_ids, change.removed_target_ids)
        elif kind in ("document_delete", "document_remove"):
            change = getattr(response, kind)
            self._change(self._place.path(change.document), None, [], change.removed_target_ids)
        elif kind == "filter":
            self._filter(response.filter)

    def _change(self, path, version, ids, removed):
        for id, state in [*((id, version) for id in ids), *((id, None) for id in removed)]:
            target = self._ids[id]
            is_known = state is not None and self._shown[target].get(path) == state
            self._pending.append((target, path, state, is_known))
            if state is None:
                self._shown[target].pop(path, None)
            else:
                self._shown[target][path] = state

    def _filter(self, filter):
        target = self._ids[filter.target_id]
        if len(self._shown[target]) == filter.count:
            return
        # A client asks for such a target again, from the beginning.
        self.recording.count("filters that did not match")
        self.lost = "filter"

    def _change_target(self, change):
        kinds = CHANGES.TargetChangeType
        if change.target_change_type == kinds.CURRENT:
            self._current.update(change.target_ids)
        elif change.target_change_type == kinds.RESET:
            self.recording.count("targets reset")
            for id in change.target_ids:
                self._current.discard(id)
                self._shown[self._ids[id]].clear()
                self._pending = [each for each in self._pending if each[0] != self._ids[id]]
        elif change.target_change_type == kinds.REMOVE:
            self._removed(change)
        elif change.target_change_type == kinds.NO_CHANGE and not change.target_ids and change.resume_token:
            self._snapshot(change)

    def _removed(self, change):
        code = change.cause.code
        self.lost = "removed" if code in PASSING else f"{code}: {change.cause.message}"
        self.recording.count("targets removed")
        if code not in PASSING:
            self.recording.complaints.append(f"{self.name} on {self.node}: a target was removed: {self.lost}")

    def _snapshot(self, change):
        # Until all targets are current the changes are kept back.
        if len(self._current) < len(self._ids):
            return
        self.token = change.resume_token
        self.views = {target: dict(view) for target, view in self._shown.items()}
        self.recording.snapshots.append(Snapshot(
            self.name, self.node, time.monotonic(), microseconds(change.read_time), self.views, self._pending,
            asked=None if self.snapshots else self.asked, resumed=self.was_resumed and not self.snapshots))
        self._pending = []
        self.kept = (self.views, self.token)
        self.snapshots += 1


class Listener(threading.Thread):
    """Follows targets until it is stopped. `next_node` gives the calls of another node than the one of a name."""

    def __init__(self, name, next_node, targets, recording):
        super().__init__(daemon=True, name=name)
        self.next_node, self.targets, self.recording = next_node, targets, recording
        self.stream = None
        self.is_stopped = False
        self.views, self.token = {}, b""

    def run(self):
        while not self.is_stopped:
            calls = self.next_node(self.stream.node if self.stream else None)
            self.stream = ListenStream(self.name, calls, self.targets, self.recording, self.views, self.token)
            error = self.stream.read(lambda: self.is_stopped)
            self.views, self.token = self.stream.views, self.stream.token
            if self.stream.lost == "filter":
                self.views, self.token = {}, b""
            if self.token and not self.is_stopped:
                self.recording.count("listeners resumed")
            if error and error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                self._minds(error)
            time.sleep(0.05)

    def _minds(self, error):
        if error.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.RESOURCE_EXHAUSTED):
            return
        self.recording.complaints.append(f"{self.name} on {self.stream.node}: its stream ended with {text(error)}")

    def move(self):
        """Ends the stream, as if the client had lost its connection: it resumes elsewhere."""
        if self.stream:
            self.stream.call.cancel()

    def shows(self, views):
        return self.stream is not None and self.stream.views == views

    def stop(self):
        self.is_stopped = True
        self.move()
