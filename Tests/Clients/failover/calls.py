"""Calls of one node over gRPC, with administrator rights."""

import grpc
from google.cloud.firestore_v1.types import common, document, firestore, query, write

# The messages themselves, without the layer that makes them pleasant and slow.
CommitRequest = firestore.CommitRequest.pb()
ListenRequest = firestore.ListenRequest.pb()
ListenResponse = firestore.ListenResponse.pb()
Target = firestore.Target.pb()
TargetChange = firestore.TargetChange.pb()
WriteRequest = firestore.WriteRequest.pb()
Write = write.Write.pb()
Transform = write.DocumentTransform.FieldTransform.pb()
Document = document.Document.pb()
Value = document.Value.pb()
Query = query.StructuredQuery.pb()
TransactionOptions = common.TransactionOptions.pb()

PROJECT = "failover"
DATABASE = f"projects/{PROJECT}/databases/(default)"
ROOT = f"{DATABASE}/documents"
METADATA = [("authorization", "Bearer owner")]
SERVICE = "/google.firestore.v1.Firestore/"


def microseconds(timestamp):
    return timestamp.seconds * 1_000_000 + timestamp.nanos // 1_000


def root(project):
    return f"projects/{project}/databases/(default)/documents"


def name(path, project=PROJECT):
    return f"{root(project)}/{path}"


def all_of(collection):
    selector = Query.CollectionSelector(collection_id=collection)
    return Query(from_=[selector])


def set_document(path, project=PROJECT, **integers):
    fields = {key: Value(integer_value=value) for key, value in integers.items()}
    return Write(update=Document(name=name(path, project), fields=fields))


def increment(path, field, by=1):
    transform = Transform(field_path=field, increment=Value(integer_value=by))
    return Write(transform={"document": name(path), "field_transforms": [transform]})


class Calls:
    def __init__(self, node):
        self.node = node
        # A connection that is refused is tried again soon: the tests measure Hearth, not the patience of gRPC.
        options = [("grpc.max_reconnect_backoff_ms", 200), ("grpc.initial_reconnect_backoff_ms", 100),
                   ("grpc.use_local_subchannel_pool", 1)]
        self.channel = grpc.insecure_channel(node.address, options)
        self._commit = self._call("Commit", firestore.CommitRequest, firestore.CommitResponse)
        self._begin = self._call(
            "BeginTransaction", firestore.BeginTransactionRequest, firestore.BeginTransactionResponse)
        self._query = self._call("RunQuery", firestore.RunQueryRequest, firestore.RunQueryResponse, "unary_stream")
        self._list = self._call("ListDocuments", firestore.ListDocumentsRequest, firestore.ListDocumentsResponse)
        self._get = self._call(
            "BatchGetDocuments", firestore.BatchGetDocumentsRequest, firestore.BatchGetDocumentsResponse,
            "unary_stream")

    def _call(self, method, request, response, kind="unary_unary"):
        return getattr(self.channel, kind)(
            SERVICE + method, request_serializer=request.pb().SerializeToString,
            response_deserializer=response.pb().FromString)

    def commit(self, writes, transaction=b"", project=PROJECT):
        """Returns the commit time."""
        database = root(project).removesuffix("/documents")
        request = CommitRequest(database=database, writes=writes, transaction=transaction)
        return microseconds(self._commit(request, timeout=15, metadata=METADATA).commit_time)

    def begin(self):
        request = firestore.BeginTransactionRequest.pb()(database=DATABASE, options=TransactionOptions(read_write={}))
        return self._begin(request, timeout=15, metadata=METADATA).transaction

    def get(self, path, transaction=b"", metadata=METADATA):
        request = firestore.BatchGetDocumentsRequest.pb()(
            database=DATABASE, documents=[name(path)], **({"transaction": transaction} if transaction else {}))
        for response in self._get(request, timeout=15, metadata=metadata):
            if response.WhichOneof("result") == "found":
                return response.found
        return None

    def documents(self, collection, project=PROJECT):
        """All documents of a collection by their ids."""
        request = firestore.RunQueryRequest.pb()(parent=root(project), structured_query=all_of(collection))
        responses = self._query(request, timeout=30, metadata=METADATA)
        found = [response.document for response in responses if response.HasField("document")]
        return {document.name.rsplit("/", 1)[1]: document for document in found}

    def page(self, collection, token=""):
        """The first document of a page, and the token of the next one."""
        request = firestore.ListDocumentsRequest.pb()(
            parent=ROOT, collection_id=collection, page_size=1, page_token=token)
        answer = self._list(request, timeout=15, metadata=METADATA)
        return answer.documents[0].name.rsplit("/", 1)[1], answer.next_page_token

    def write(self, requests):
        """A write stream."""
        call = self.channel.stream_stream(
            SERVICE + "Write", request_serializer=WriteRequest.SerializeToString,
            response_deserializer=firestore.WriteResponse.pb().FromString)
        return call(requests, metadata=METADATA)

    def listen(self, requests):
        call = self.channel.stream_stream(
            SERVICE + "Listen", request_serializer=ListenRequest.SerializeToString,
            response_deserializer=ListenResponse.FromString)
        return call(requests, metadata=METADATA)

    def close(self):
        self.channel.close()
