#if Remote
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// What the sessions of one remote database share: the channel, the names, the headers.
final class RemoteConnection: Sendable {
    /// Methods of `google.firestore.v1.Firestore`, by their names there.
    enum Method: String {
        case commit = "Commit"
        case write = "Write"
        case beginTransaction = "BeginTransaction"
        case rollback = "Rollback"
        case batchGetDocuments = "BatchGetDocuments"
        case listDocuments = "ListDocuments"
        case listCollectionIDs = "ListCollectionIds"
        case runQuery = "RunQuery"
        case runAggregationQuery = "RunAggregationQuery"
        case partitionQuery = "PartitionQuery"
        case listen = "Listen"

        var path: String { "/google.firestore.v1.Firestore/" + rawValue }
    }

    let channel: any RPCChannel
    let database: DatabaseID
    let metadata: RPCMetadata
    let backoff: Backoff
    let writeAhead: WriteAhead
    private let sessions = Mutex(0)

    init(_ channel: any RPCChannel, database: DatabaseID, metadata: RPCMetadata, backoff: Backoff, writeAhead: WriteAhead) {
        self.channel = channel
        self.database = database
        self.backoff = backoff
        self.writeAhead = writeAhead
        var metadata = metadata
        // How a service with many databases finds the one that is meant before it reads the message.
        metadata.append(
            "google-cloud-resource-prefix", "projects/\(database.projectID)/databases/\(database.databaseID)")
        self.metadata = metadata
    }

    func retain() { sessions.withLock { $0 += 1 } }

    func release() async {
        let isLast = sessions.withLock { sessions in
            sessions -= 1
            return sessions == 0
        }
        if isLast { await channel.shutdown() }
    }

    func unary<Response: WireMessage>(
        _ method: Method, _ request: some WireMessage, _ deadline: ContinuousClock.Instant?
    ) async throws(FirestoreError) -> Response {
        let bytes: ByteSlice
        do throws(RPCStatus) {
            bytes = try await channel.unary(method.path, request.encoded(), metadata: metadata, deadline: deadline)
        } catch {
            throw FirestoreError(error)
        }
        return try Response(decoding: bytes)
    }

    /// Opens a call that answers one request with messages, to be taken from the stream that is returned.
    func stream(
        _ method: Method, _ request: some WireMessage, _ deadline: ContinuousClock.Instant?
    ) -> ResponseStream {
        let stream = ResponseStream()
        let call = channel.open(method.path, metadata: metadata, deadline: deadline, handler: stream)
        stream.attach(call)
        call.send(request.encoded())
        call.halfClose()
        return stream
    }
}

extension FirestoreError {
    /// What the other side, or the transport, has said.
    init(_ status: RPCStatus) { self.init(status.code, status.message) }
}
#endif
