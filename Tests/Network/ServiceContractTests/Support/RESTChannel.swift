// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Protos
import FirestoreRPC
import Foundation
import SwiftProtobuf
import TestSupport

/// A channel over the server's REST routes. SwiftProtobuf writes and reads the JSON, so that the server's JSON is compared with
/// an independent implementation.
final class RESTChannel: RPCChannel {
    private let connection: HTTPConnection

    init(port: Int) { connection = HTTPConnection(port: port) }

    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        let result: Result<[[UInt8]], RPCStatus> = await withCheckedContinuation { continuation in
            perform(path, request, metadata) { messages, status in
                continuation.resume(returning: status.map { .failure($0) } ?? .success(messages))
            }
        }
        guard let message = try result.get().first else { throw RPCStatus(.internal, "an answer of nothing") }
        return ByteSlice(message)
    }

    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        // HTTP/1.1 does not have bidirectional streams: writes are separate calls.
        let isWrite = path.utf8.elementsEqual("/google.firestore.v1.Firestore/Write".utf8)
        let call = RESTClientCall(handler) { [self] request, completion in
            if !isWrite { perform(path, request, metadata, completion) }
        }
        if isWrite { Thread.detachNewThread { handler.ended(RPCStatus(.unimplemented, "REST has no Write"), trailers: RPCMetadata()) } }
        return call
    }

    func shutdown() async {}

    /// Calls back on a separate thread, with all messages of the answer and its end.
    private func perform(
        _ path: String, _ request: [UInt8], _ metadata: RPCMetadata, _ completion: @escaping @Sendable ([[UInt8]], RPCStatus?) -> Void
    ) {
        Thread.detachNewThread { [connection] in
            do {
                let call = try RESTExchange(path, request)
                let response = try connection.send(call.verb, call.target, metadata.entries.map { ($0.name, $0.value) }, call.body)
                let (messages, status) = try call.messages(response)
                completion(messages, status)
            } catch {
                completion([], RPCStatus(.unavailable, "\(error)"))
            }
        }
    }
}

/// A request as REST has it, and how its answer becomes messages.
private struct RESTExchange {
    let verb: String
    let target: String
    let body: [UInt8]
    private let read: ([UInt8]) throws -> [UInt8]

    init(_ path: String, _ request: [UInt8]) throws {
        switch path.split(separator: "/").last.map({ String($0) }) {
        case "Commit": try self.init(request, "commit", \Google_Firestore_V1_CommitRequest.database, Google_Firestore_V1_CommitResponse.self)
        case "BeginTransaction":
            try self.init(
                request, "beginTransaction", \Google_Firestore_V1_BeginTransactionRequest.database,
                Google_Firestore_V1_BeginTransactionResponse.self)
        case "Rollback":
            try self.init(request, "rollback", \Google_Firestore_V1_RollbackRequest.database, Google_Protobuf_Empty.self)
        case "BatchGetDocuments":
            try self.init(
                request, "batchGet", \Google_Firestore_V1_BatchGetDocumentsRequest.database,
                Google_Firestore_V1_BatchGetDocumentsResponse.self)
        case "Listen":
            try self.init(request, "listen", \Google_Firestore_V1_ListenRequest.database, Google_Firestore_V1_ListenResponse.self)
        case "RunQuery":
            try self.init(request, "runQuery", \Google_Firestore_V1_RunQueryRequest.parent, Google_Firestore_V1_RunQueryResponse.self)
        case "RunAggregationQuery":
            try self.init(
                request, "runAggregationQuery", \Google_Firestore_V1_RunAggregationQueryRequest.parent,
                Google_Firestore_V1_RunAggregationQueryResponse.self)
        case "ExecutePipeline":
            try self.init(
                request, "executePipeline", \Google_Firestore_V1_ExecutePipelineRequest.database,
                Google_Firestore_V1_ExecutePipelineResponse.self)
        case "PartitionQuery":
            try self.init(
                request, "partitionQuery", \Google_Firestore_V1_PartitionQueryRequest.parent,
                Google_Firestore_V1_PartitionQueryResponse.self)
        case "ListCollectionIds":
            try self.init(
                request, "listCollectionIds", \Google_Firestore_V1_ListCollectionIdsRequest.parent,
                Google_Firestore_V1_ListCollectionIdsResponse.self)
        case "ListDocuments": self.init(listing: try Google_Firestore_V1_ListDocumentsRequest(serializedBytes: request))
        default: throw HTTPConnection.Failure(what: "no route is known for \(path)")
        }
    }

    /// A request in a body; its database or parent is in the path.
    private init<Request: Message, Response: Message>(
        _ request: [UInt8], _ suffix: String, _ resource: WritableKeyPath<Request, String>, _ response: Response.Type
    ) throws {
        var message = try Request(serializedBytes: request)
        let name = message[keyPath: resource]
        message[keyPath: resource] = ""
        verb = "POST"
        target = "/v1/" + Self.encoded(name) + (name.contains("/documents") ? "" : "/documents") + ":" + suffix
        body = try message.jsonUTF8Bytes()
        read = { try Self.binary($0, response) }
    }

    private init(listing request: Google_Firestore_V1_ListDocumentsRequest) {
        var parameters = ["pageSize=\(request.pageSize)", "showMissing=\(request.showMissing)"]
        if !request.pageToken.isEmpty { parameters.append("pageToken=" + Self.encoded(request.pageToken)) }
        parameters += request.mask.fieldPaths.map { "mask.fieldPaths=" + Self.encoded($0) }
        switch request.consistencySelector {
        case .transaction(let token): parameters.append("transaction=" + Self.encoded(token.base64EncodedString()))
        case .readTime(let time): parameters.append("readTime=" + Self.encoded(TimestampValue(seconds: time.seconds, nanoseconds: time.nanos).text))
        case nil: break
        }
        verb = "GET"
        target = "/v1/" + Self.encoded(request.parent + "/" + request.collectionID) + "?" + parameters.joined(separator: "&")
        body = []
        read = { try Self.binary($0, Google_Firestore_V1_ListDocumentsResponse.self) }
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~/()"))) ?? text
    }

    private static func binary<M: Message>(_ json: [UInt8], _: M.Type) throws -> [UInt8] {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        return try M(jsonUTF8Bytes: json).serializedBytes(options: options)
    }

    /// Of an answer, and the error that ends it.
    func messages(_ response: HTTPConnection.Response) throws -> ([[UInt8]], RPCStatus?) {
        let json = try JSON(response.body)
        var elements = [json]
        if case .array(let several) = json { elements = several }
        var messages: [[UInt8]] = []
        for element in elements {
            if let error = element["error"] { return (messages, Self.status(error, response.status)) }
            messages.append(try read(element.bytes()))
        }
        guard response.status == 200 else { throw HTTPConnection.Failure(what: "status \(response.status) without an error") }
        return (messages, nil)
    }

    private static func status(_ error: JSON, _ http: Int) -> RPCStatus {
        guard case .string(let name)? = error["status"], case .string(let message)? = error["message"],
            let code = codes.first(where: { $0.name.utf8.elementsEqual(name.utf8) })?.code
        else { return RPCStatus(.unknown, "status \(http): \(error.text())") }
        return RPCStatus(code, message)
    }

    private static let codes: [(name: String, code: FirestoreError.Code)] = [
        ("CANCELLED", .cancelled), ("UNKNOWN", .unknown), ("INVALID_ARGUMENT", .invalidArgument), ("DEADLINE_EXCEEDED", .deadlineExceeded),
        ("NOT_FOUND", .notFound), ("ALREADY_EXISTS", .alreadyExists), ("PERMISSION_DENIED", .permissionDenied),
        ("RESOURCE_EXHAUSTED", .resourceExhausted), ("FAILED_PRECONDITION", .failedPrecondition), ("ABORTED", .aborted),
        ("OUT_OF_RANGE", .outOfRange), ("UNIMPLEMENTED", .unimplemented), ("INTERNAL", .internal), ("UNAVAILABLE", .unavailable),
        ("DATA_LOSS", .dataLoss), ("UNAUTHENTICATED", .unauthenticated),
    ]
}

/// A call with one request: sent immediately, the answer delivered message by message.
private final class RESTClientCall: RPCClientCall {
    private let handler: any RPCClientHandler
    private let perform: @Sendable ([UInt8], @escaping @Sendable ([[UInt8]], RPCStatus?) -> Void) -> Void
    private let isCancelled = Mutex(false)

    init(
        _ handler: any RPCClientHandler,
        perform: @escaping @Sendable ([UInt8], @escaping @Sendable ([[UInt8]], RPCStatus?) -> Void) -> Void
    ) {
        self.handler = handler
        self.perform = perform
    }

    func send(_ message: [UInt8]) {
        perform(message) { [self] messages, status in
            for message in messages where !isCancelled.withLock({ $0 }) { handler.receive(ByteSlice(message)) }
            let ending = isCancelled.withLock { $0 } ? RPCStatus(.cancelled, "the call was cancelled") : status
            handler.ended(ending, trailers: RPCMetadata())
        }
    }

    var isWritable: Bool { true }

    func whenWritable() async throws(RPCStatus) {}

    func halfClose() {}

    func cancel() { isCancelled.withLock { $0 = true } }

    /// The answer is here as a whole.
    func setReading(_ isOn: Bool) {}
}
