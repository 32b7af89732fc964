"""The messages of google.firestore.v1 as plain protobuf classes, and calls that may carry anything, legal or not."""

import grpc
from google.cloud.firestore_v1 import types
from google.protobuf import empty_pb2, timestamp_pb2

Timestamp = timestamp_pb2.Timestamp
Document = types.Document.pb()
Value = types.Value.pb()
Write = types.Write.pb()
ListenRequest = types.ListenRequest.pb()
ListenResponse = types.ListenResponse.pb()
WriteRequest = types.WriteRequest.pb()
WriteResponse = types.WriteResponse.pb()
StructuredQuery = types.StructuredQuery.pb()

SERVICE = "/google.firestore.v1.Firestore/"

# Method: request, response, whether the answer is a stream.
METHODS = {
    "GetDocument": (types.GetDocumentRequest.pb(), Document, False),
    "ListDocuments": (types.ListDocumentsRequest.pb(), types.ListDocumentsResponse.pb(), False),
    "CreateDocument": (types.CreateDocumentRequest.pb(), Document, False),
    "UpdateDocument": (types.UpdateDocumentRequest.pb(), Document, False),
    "DeleteDocument": (types.DeleteDocumentRequest.pb(), empty_pb2.Empty, False),
    "BatchGetDocuments": (types.BatchGetDocumentsRequest.pb(), types.BatchGetDocumentsResponse.pb(), True),
    "BeginTransaction": (types.BeginTransactionRequest.pb(), types.BeginTransactionResponse.pb(), False),
    "Commit": (types.CommitRequest.pb(), types.CommitResponse.pb(), False),
    "Rollback": (types.RollbackRequest.pb(), empty_pb2.Empty, False),
    "RunQuery": (types.RunQueryRequest.pb(), types.RunQueryResponse.pb(), True),
    "RunAggregationQuery": (types.RunAggregationQueryRequest.pb(), types.RunAggregationQueryResponse.pb(), True),
    "PartitionQuery": (types.PartitionQueryRequest.pb(), types.PartitionQueryResponse.pb(), False),
    "ListCollectionIds": (types.ListCollectionIdsRequest.pb(), types.ListCollectionIdsResponse.pb(), False),
    "BatchWrite": (types.BatchWriteRequest.pb(), types.BatchWriteResponse.pb(), False),
    "ExecutePipeline": (types.ExecutePipelineRequest.pb(), types.ExecutePipelineResponse.pb(), True),
}

# A call of these may change what later calls see, so that nothing can be compared behind a different answer.
CHANGING = {"CreateDocument", "UpdateDocument", "DeleteDocument", "Commit", "BatchWrite", "BeginTransaction", "Rollback"}

# Requests name this project; a client puts one of the same length instead, in the bytes that are sent.
PROJECT = "oracle-000"
DATABASE = f"projects/{PROJECT}/databases/(default)"
ROOT = f"{DATABASE}/documents"


def request(method, **fields):
    return METHODS[method][0](**fields)


def verify(name, **fields):
    """`Write.verify`, which the published messages leave out (WR-1)."""
    data = name.encode()
    length = bytes([len(data) & 0x7F | 0x80, len(data) >> 7]) if len(data) > 127 else bytes([len(data)])
    return Write.FromString(Write(**fields).SerializeToString() + b"\x2a" + length + data)


class Failure(Exception):
    """A call that ended with a status."""

    def __init__(self, error):
        super().__init__(f"{error.code().name}: {error.details()}")
        self.code = error.code().name
        self.details = error.details()


class Client:
    """Calls of one server."""

    def __init__(self, address):
        self.address = address
        self.project = PROJECT
        options = [("grpc.max_receive_message_length", 64 << 20), ("grpc.max_send_message_length", 64 << 20)]
        self.channel = grpc.insecure_channel(address, options=options)
        self.calls = {name: self._stub(name, *shape) for name, shape in METHODS.items()}

    def _stub(self, name, _, response, streams):
        make = self.channel.unary_stream if streams else self.channel.unary_unary
        return make(SERVICE + name, request_serializer=self.encode, response_deserializer=self.decoder(response))

    def encode(self, message):
        data = message if isinstance(message, bytes) else message.SerializeToString(deterministic=True)
        return data.replace(b"projects/" + PROJECT.encode(), b"projects/" + self.project.encode())

    def decoder(self, response):
        return lambda data: response.FromString(self.restore(data))

    def restore(self, data):
        return data.replace(b"projects/" + self.project.encode(), b"projects/" + PROJECT.encode())

    def call(self, method, message, timeout=10):
        """The messages of the answer, and the name of the status it ended with."""
        messages = []
        try:
            answer = self.calls[method](message, timeout=timeout, metadata=[("authorization", "Bearer owner")])
            if METHODS[method][2]:
                messages.extend(answer)
            else:
                messages.append(answer)
        except grpc.RpcError as error:
            return messages, error.code().name, error.details()
        return messages, "OK", ""

    def stream(self, method, requests):
        shapes = {"Listen": (ListenRequest, ListenResponse), "Write": (WriteRequest, WriteResponse)}
        make = self.channel.stream_stream(
            SERVICE + method, request_serializer=self.encode, response_deserializer=self.decoder(shapes[method][1]))
        # The emulator finds the database of a stream in this header, and nowhere else (SE-4).
        prefix = DATABASE.replace(PROJECT, self.project)
        return make(requests, metadata=[("authorization", "Bearer owner"), ("google-cloud-resource-prefix", prefix)])

    def close(self):
        self.channel.close()
