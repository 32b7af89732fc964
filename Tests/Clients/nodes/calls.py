"""The methods of google.firestore.v1 on one node, without the client library: nothing is retried."""

import grpc
from google.cloud.firestore_v1.types import firestore as methods
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.types import write as writes

from .recording import REFUSED, UNKNOWN, Documents, Version

SERVICE = "/google.firestore.v1.Firestore/"
# Connections of its own for each client, and quick attempts to connect again.
OPTIONS = [
    ("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 300), ("grpc.enable_retries", 0)]

# Answers that say that nothing was applied, and those that leave it open. Any other one is a defect.
REFUSALS = {
    grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.RESOURCE_EXHAUSTED}
OPEN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}


def outcome(error):
    return REFUSED if error.code() in REFUSALS else UNKNOWN


def text(error):
    return f"{error.code().name}: {error.details()}"


def raw(message):
    """The class of protobuf behind one of the library, which is much quicker."""
    return message.pb()


def microseconds(timestamp):
    return timestamp.seconds * 1_000_000 + timestamp.nanos // 1_000


def set_time(timestamp, time):
    timestamp.seconds, timestamp.nanos = time // 1_000_000, time % 1_000_000 * 1_000


class Place:
    """A document of a database below which a round has its documents; paths of recordings are relative to it."""

    def __init__(self, project, round):
        self.project = project
        self.database = f"projects/{project}/databases/(default)"
        self.root = f"{self.database}/documents/rounds/{round}"

    def name(self, path):
        return f"{self.root}/{path}"

    def path(self, name):
        return name[len(self.root) + 1:]

    def structured_query(self, query):
        structured = raw(queries.StructuredQuery)()
        structured.from_.add().collection_id = query.collection
        if query.group is not None:
            filter = structured.where.field_filter
            filter.field.field_path, filter.op = "g", raw(queries.StructuredQuery.FieldFilter).EQUAL
            filter.value.integer_value = query.group
        return structured

    def target(self, id, what):
        target = raw(methods.Target)(target_id=id)
        if isinstance(what, Documents):
            target.documents.documents.extend(self.name(path) for path in what.paths)
        else:
            target.query.parent = self.root
            target.query.structured_query.CopyFrom(self.structured_query(what))
        return target

    def write(self, change):
        write = raw(writes.Write)()
        if change.kind == "delete":
            write.delete = self.name(change.path)
        else:
            write.update.name = self.name(change.path)
            for name, value in change.fields.items():
                _set_value(write.update.fields[name], value)
        if change.kind == "merge":
            write.update_mask.field_paths.extend(change.fields)
            if change.amount:
                transform = write.update_transforms.add()
                transform.field_path, transform.increment.integer_value = "n", change.amount
        if change.condition:
            kind, value = change.condition
            if kind == "exists":
                write.current_document.exists = value
            else:
                set_time(write.current_document.update_time, value)
        return write

    def found(self, document):
        """The path and the version of a document."""
        fields = {name: _value(value) for name, value in document.fields.items()}
        return self.path(document.name), Version.of(fields, microseconds(document.update_time))


def _set_value(value, content):
    if isinstance(content, str):
        value.string_value = content
    else:
        value.integer_value = content


def _value(value):
    return getattr(value, value.WhichOneof("value_type"))


class NodeCalls:
    """`token` is None for a client without credentials."""

    def __init__(self, name, address, place, token="owner"):
        self.name, self.place = name, place
        self.channel = grpc.insecure_channel(address, options=OPTIONS)
        self._metadata = [("authorization", f"Bearer {token}")] if token else []
        method = self._method
        self._commit = method("unary_unary", "Commit", methods.CommitRequest, methods.CommitResponse)
        self._begin = method(
            "unary_unary", "BeginTransaction", methods.BeginTransactionRequest, methods.BeginTransactionResponse)
        self._get = method(
            "unary_stream", "BatchGetDocuments", methods.BatchGetDocumentsRequest, methods.BatchGetDocumentsResponse)
        self._query = method("unary_stream", "RunQuery", methods.RunQueryRequest, methods.RunQueryResponse)
        self._listen = method("stream_stream", "Listen", methods.ListenRequest, methods.ListenResponse)
        self._write = method("stream_stream", "Write", methods.WriteRequest, methods.WriteResponse)

    def _method(self, kind, name, request, response):
        return getattr(self.channel, kind)(
            SERVICE + name, request_serializer=raw(request).SerializeToString,
            response_deserializer=raw(response).FromString)

    def commit(self, changes, transaction=b"", timeout=5):
        """Returns the commit time."""
        request = raw(methods.CommitRequest)(database=self.place.database, transaction=transaction)
        request.writes.extend(self.place.write(change) for change in changes)
        return microseconds(self._commit(request, timeout=timeout, metadata=self._metadata).commit_time)

    def begin(self, is_read_only=False, timeout=5):
        request = raw(methods.BeginTransactionRequest)(database=self.place.database)
        if is_read_only:
            request.options.read_only.SetInParent()
        return self._begin(request, timeout=timeout, metadata=self._metadata).transaction

    def read(self, what, transaction=b"", at=None, timeout=5):
        """Returns the documents that exist, as path → version, and the read time."""
        found = self.read_with_creation(what, transaction, at, timeout)
        return {path: version for path, (version, _) in found[0].items()}, found[1]

    def read_with_creation(self, what, transaction=b"", at=None, timeout=5):
        """As path → (version, create time)."""
        if isinstance(what, Documents):
            request = raw(methods.BatchGetDocumentsRequest)(database=self.place.database)
            request.documents.extend(self.place.name(path) for path in what.paths)
            call, member = self._get, "found"
        else:
            request = raw(methods.RunQueryRequest)(parent=self.place.root)
            request.structured_query.CopyFrom(self.place.structured_query(what))
            call, member = self._query, "document"
        if transaction:
            request.transaction = transaction
        elif at is not None:
            set_time(request.read_time, at)
        found, time = {}, 0
        for response in call(request, timeout=timeout, metadata=self._metadata):
            time = max(time, microseconds(response.read_time))
            if response.HasField(member):
                document = getattr(response, member)
                path, version = self.place.found(document)
                found[path] = version, microseconds(document.create_time)
        return found, time

    def listen(self, requests):
        return self._listen(requests, metadata=self._metadata)

    def write(self, requests):
        return self._write(requests, metadata=self._metadata)

    def close(self):
        self.channel.close()
