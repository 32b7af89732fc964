// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import FuzzFrame
import HearthBase

@main
enum FuzzTarget: String, CaseIterable, Fuzzer {
    case messages, rest, json, names, indexes, admin

    private static let target = chosen()

    static func run(_ input: [UInt8]) { target.run(input) }

    private func run(_ input: [UInt8]) {
        switch self {
        case .messages: Self.message(input)
        case .rest: Self.rest(input)
        case .json: Self.json(input)
        case .names: Self.name(input)
        case .indexes: _ = try? IndexConfiguration(json: input)
        case .admin: Self.admin(input)
        }
    }

    // MARK: Admin API

    /// The first byte selects the message; the rest is its bytes, its JSON, and a path.
    private static func admin(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let rest = Array(input.dropFirst())
        let type = AdminMessage.allCases[Int(first) % AdminMessage.allCases.count]
        for read in [try? type.json(ByteSlice(rest)), try? JSON(rest)] {
            guard let read, let checked = try? type.checked(read) else { continue }
            // What was accepted has bytes, and is the same after them.
            guard let bytes = try? type.bytes(checked), let again = try? type.json(ByteSlice(bytes)) else { continue }
            precondition((try? type.bytes(again)) == bytes, "the message changes with its bytes")
        }
        let path = "/v1/projects/" + String(decoding: rest, as: UTF8.self)
        for verb in ["GET", "POST", "PATCH", "DELETE"] {
            if let call = try? AdminRouter.match(verb: verb, path: path) { _ = try? call.request(body: ByteSlice(rest)) }
        }
    }

    // MARK: Messages

    private static let checks: [@Sendable (ByteSlice) -> Void] = [
        checker(CommitRequest.self), checker(DocumentResponse.self), checker(GetDocumentRequest.self),
        checker(BatchGetDocumentsRequest.self), checker(RunQueryRequest.self), checker(RunAggregationQueryRequest.self),
        checker(ListenRequest.self), checker(WriteRequest.self), checker(UpdateDocumentRequest.self),
        checker(CreateDocumentRequest.self), checker(DeleteDocumentRequest.self), checker(ListDocumentsRequest.self),
        checker(ListCollectionIDsRequest.self), checker(BeginTransactionRequest.self), checker(RollbackRequest.self),
        checker(BatchWriteRequest.self), checker(PartitionQueryRequest.self), checker(BatchGetDocumentsResponse.self),
        checker(RunQueryResponse.self), checker(RunAggregationQueryResponse.self), checker(ListenResponse.self),
        checker(WriteResponse.self), checker(CommitMessage.self), checker(BatchWriteResponse.self),
        checker(ListDocumentsResponse.self), checker(ListCollectionIDsMessage.self), checker(PartitionQueryResponse.self),
        checker(BeginTransactionResponse.self), checker(EmptyMessage.self), checker(ExecutePipelineRequest.self),
        checker(ExecutePipelineResponse.self),
    ]

    private static func checker<Message: WireMessage>(_ type: Message.Type) -> @Sendable (ByteSlice) -> Void {
        { check($0, as: Message.self) }
    }

    private static func message(_ input: [UInt8]) {
        guard let first = input.first else { return }
        checks[Int(first) % checks.count](ByteSlice(Array(input.dropFirst())))
    }

    private static func check<Message: WireMessage>(_ bytes: ByteSlice, as type: Message.Type) {
        guard let message = try? Message(decoding: bytes) else { return }
        if let commit = message as? CommitRequest { check(commit.writes) }
        if let response = message as? DocumentResponse { check(response.document.fields, of: response.document.key) }
        // An empty answer names no database; there is nothing to write that could be read again.
        let once = message.encoded()
        guard let again = try? Message(decoding: ByteSlice(once)) else {
            // Names without a database in answers, targets whose mistake is theirs: they are not written again.
            return
        }
        precondition(again.encoded() == once, "\(type) changes when it is read again")
    }

    private static func check(_ writes: [Write]) {
        for write in writes {
            switch write.operation {
            case .set(let fields), .patch(let fields, _): check(fields, of: write.key)
            case .delete, .verify: break
            }
        }
    }

    private static func check(_ fields: FieldBytes, of key: DocumentKey) {
        do { try DocumentCheck.check(fields, of: key) } catch { preconditionFailure("an illegal document got through: \(error)") }
    }

    // MARK: REST

    /// `VERB target`, a line feed, the body.
    private static func rest(_ input: [UInt8]) {
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let line = String(decoding: parts.first ?? [], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard line.count == 2, let call = call(line) else { return }
        guard let request = try? call.requestBytes(body: ByteSlice(Array(parts.count > 1 ? parts[1] : []))) else { return }
        switch call.method {
        case .getDocument: check(request, as: GetDocumentRequest.self)
        case .updateDocument: check(request, as: UpdateDocumentRequest.self)
        case .createDocument: check(request, as: CreateDocumentRequest.self)
        case .commit: check(request, as: CommitRequest.self)
        case .runQuery: check(request, as: RunQueryRequest.self)
        case .runAggregationQuery: check(request, as: RunAggregationQueryRequest.self)
        case .listDocuments: check(request, as: ListDocumentsRequest.self)
        case .executePipeline: check(request, as: ExecutePipelineRequest.self)
        default: break
        }
        _ = try? call.responseJSON(request)
    }

    private static func call(_ line: [Substring]) -> RESTCall? {
        let target = line[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = target.count > 1 ? PercentEncoding.parameters(of: target[1]) : []
        return try? RESTRouter.match(verb: String(line[0]), path: String(target[0]), query: query)
    }

    private static func json(_ input: [UInt8]) {
        let lines = ["GET /v1/projects/p/databases/d/documents/c/d", "POST /v1/projects/p/databases/d/documents:runQuery",
            "POST /v1/projects/p/databases/d/documents:batchGet", "POST /v1/projects/p/databases/d/documents:commit",
            "POST /v1/projects/p/databases/d/documents:runAggregationQuery", "POST /v1/projects/p/databases/d/documents:listen",
            "POST /v1/projects/p/databases/d/documents:executePipeline",
        ]
        guard let first = input.first else { return }
        let line = lines[Int(first) % lines.count].split(separator: " ")
        guard let call = call(line) else { return }
        let bytes = ByteSlice(Array(input.dropFirst()))
        guard let json = try? call.responseJSON(bytes) else { return }
        do { _ = try JSON(json) } catch { preconditionFailure("JSON of our own cannot be read: \(error)") }
        for method in [FirestoreMethod.listen, .write] {
            guard let stream = try? method.responseJSON(of: bytes.array) else { continue }
            do { _ = try JSON(stream) } catch { preconditionFailure("JSON of a stream cannot be read: \(error)") }
        }
    }

    // MARK: Names

    private static func name(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let path = try? PathCheck.fieldPath(wire: text) {
            guard let again = try? PathCheck.fieldPath(wire: path.canonical) else {
                preconditionFailure("the path \(path.canonical) cannot be read again")
            }
            precondition(again == path, "the path \(path.canonical) changes when it is read again")
        }
        _ = try? PathCheck.fieldPath(dotted: text)
        if let key = try? PathCheck.documentKey(text) {
            let name = DatabaseID(projectID: "p").name(of: key)
            precondition(Array(name.utf8).withUnsafeBytes { ReferenceName($0)?.key == key }, "\(name) is no reference")
            let request = GetDocumentRequest(database: DatabaseID(projectID: "p"), key: key)
            guard let again = try? GetDocumentRequest(decoding: ByteSlice(request.encoded())) else {
                preconditionFailure("the name \(name) cannot be read again")
            }
            precondition(again.key == key, "the name \(name) changes when it is read again")
        }
        _ = try? PathCheck.collectionPath(text)
        input.withUnsafeBytes { _ = ReferenceName($0) }
    }
}
