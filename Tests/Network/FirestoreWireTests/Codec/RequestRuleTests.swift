// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Protos
import FirestoreWire
import Foundation
import SwiftProtobuf
import Testing

/// What decoding says to requests whose form is wrong, or has more than one reading.
struct RequestRuleTests {
    typealias Proto = Google_Firestore_V1_Write

    private static let database = "projects/p/databases/(default)"
    private static let name = database + "/documents/c/d"

    private func decode<Request: WireMessage>(_ message: some SwiftProtobuf.Message, _: Request.Type = Request.self) throws -> Request {
        try Request(decoding: ByteSlice(try message.serializedBytes() as [UInt8]))
    }

    private func commit(_ build: (inout Proto) -> Void) throws -> Write {
        var message = Google_Firestore_V1_CommitRequest()
        message.database = Self.database
        var write = Proto()
        build(&write)
        message.writes = [write]
        let request: CommitRequest = try decode(message)
        return try #require(request.writes.first)
    }

    private func refusal(_ code: FirestoreError.Code = .invalidArgument, _ body: () throws -> Void) {
        let error = #expect(throws: FirestoreError.self) { try body() }
        #expect(error?.code == code)
    }

    // MARK: Writes

    @Test func `a write has one operation`() throws {
        // WR-1
        refusal { _ = try commit { _ in } }
        #expect(throws: Never.self) { try commit { $0.delete = Self.name } }
        #expect(throws: Never.self) { try commit { $0.verify = Self.name } }
    }

    @Test func `masks and transforms belong to updates`() throws {
        // WR-2
        refusal { _ = try commit { $0.delete = Self.name; $0.updateMask = .init() } }
        var transform = Google_Firestore_V1_DocumentTransform.FieldTransform()
        transform.fieldPath = "a"
        transform.setToServerValue = .requestTime
        refusal { _ = try commit { $0.delete = Self.name; $0.updateTransforms = [transform] } }
        refusal { _ = try commit { $0.verify = Self.name; $0.updateTransforms = [transform] } }
        refusal { _ = try commit { $0.transform.document = Self.name; $0.updateTransforms = [transform] } }
    }

    @Test func `the older form of transforms is not empty`() throws {
        refusal { _ = try commit { $0.transform.document = Self.name } }
    }

    @Test(arguments: ["__x__", "a.__x__", "`__x__`", "a.__name__"])
    func `a mask for reading names no reserved field`(path: String) throws {
        // DM-15, DM-21
        var message = Google_Firestore_V1_GetDocumentRequest()
        message.name = Self.name
        message.mask.fieldPaths = ["a", "__name__"]
        #expect(throws: Never.self) { let _: GetDocumentRequest = try decode(message) }
        message.mask.fieldPaths = [path]
        refusal { let _: GetDocumentRequest = try decode(message) }
    }

    @Test func `a mask that is there and empty is not one that is absent`() throws {
        // WR-4, WR-5
        let set = try commit { $0.update.name = Self.name }
        guard case .set = set.operation else { throw FirestoreError(.internal, "a set is expected") }
        let patch = try commit { $0.update.name = Self.name; $0.updateMask = .init() }
        guard case .patch(_, let mask) = patch.operation else { throw FirestoreError(.internal, "a patch is expected") }
        #expect(mask.isEmpty)
    }

    @Test func `the older transform is an update of nothing`() throws {
        // WR-1, WR-30
        let write = try commit { write in
            write.transform.document = Self.name
            var transform = Google_Firestore_V1_DocumentTransform.FieldTransform()
            transform.fieldPath = "`a.b`.c"
            transform.increment.integerValue = 3
            write.transform.fieldTransforms = [transform]
            write.currentDocument.exists = true
        }
        guard case .patch(let fields, let mask) = write.operation else { throw FirestoreError(.internal, "a patch is expected") }
        #expect(fields == .empty && mask.isEmpty && write.precondition == .exists(true))
        #expect(write.transforms.map(\.path) == [FieldPathSegments(["a.b", "c"])])
    }

    @Test(arguments: ["", "a..b", ".a", "a.", "`a", "a b", "`a`b"]) func `field paths follow the grammar`(path: String) {
        // DM-19
        refusal { _ = try commit { $0.update.name = Self.name; $0.updateMask.fieldPaths = [path] } }
        refusal {
            _ = try commit { write in
                write.update.name = Self.name
                var transform = Google_Firestore_V1_DocumentTransform.FieldTransform()
                transform.fieldPath = path
                transform.setToServerValue = .requestTime
                write.updateTransforms = [transform]
            }
        }
    }

    @Test func `transforms decode, and malformed ones are rejected`() {
        // WR-32
        func transform(_ build: (inout Google_Firestore_V1_DocumentTransform.FieldTransform) -> Void) throws {
            _ = try commit { write in
                write.update.name = Self.name
                var transform = Google_Firestore_V1_DocumentTransform.FieldTransform()
                transform.fieldPath = "a"
                build(&transform)
                write.updateTransforms = [transform]
            }
        }
        refusal { try transform { _ in } }
        refusal { try transform { $0.setToServerValue = .unspecified } }
        refusal { try transform { $0.increment = .init() } }
        refusal { try transform { $0.appendMissingElements.values = [.init()] } }
        #expect(throws: Never.self) { try transform { $0.appendMissingElements = .init() } }
    }

    @Test func `preconditions decode, and malformed ones are rejected`() throws {
        // WR-3, VAL-23
        #expect(try commit { $0.delete = Self.name; $0.currentDocument = .init() }.precondition == nil)
        #expect(try commit { $0.delete = Self.name; $0.currentDocument.exists = false }.precondition == .exists(false))
        refusal { _ = try commit { $0.delete = Self.name; $0.currentDocument.updateTime.nanos = 1 } }
        refusal { _ = try commit { $0.delete = Self.name; $0.currentDocument.updateTime.nanos = -1_000 } }
        refusal { _ = try commit { $0.delete = Self.name; $0.currentDocument.updateTime.seconds = .max } }
    }

    @Test func `a pipeline's values cannot be stored`() {
        // DM-29
        refusal { _ = try commit { $0.update.name = Self.name; $0.update.fields = ["f": .with { $0.functionValue.name = "add" }] } }
        refusal { _ = try commit { $0.update.name = Self.name; $0.update.fields = ["f": .with { $0.fieldReferenceValue = "a" }] } }
        refusal { _ = try commit { $0.update.name = Self.name; $0.update.fields = ["f": .init()] } }
    }

    // MARK: Names

    @Test(arguments: [
        "", "c/d", "projects/p", "projects/p/databases/(default)", "projects/p/databases/(default)/documents",
        "projects/p/databases/(default)/documents/", "projects/p/databases/(default)/documents/c",
        "projects/p/databases/(default)/documents/c/", "projects/p/databases/(default)/documents//d",
        "projects/p/databases/(default)/documents/c/d/e", "projects//databases/(default)/documents/c/d", "projects/p/databases//documents/c/d",
        "projects/p/databases/(default)/documents/c/..", "projects/p/databases/(default)/documents/__c__/d",
        "project/p/databases/(default)/documents/c/d", "projects/p/databases/(default)/document/c/d", "/projects/p/databases/(default)/documents/c/d",
        "projects/q/databases/(default)/documents/c/d", "projects/p/databases/other/documents/c/d",
    ]) func `names of documents are in order and of the request's database`(name: String) {
        // DM-1, DM-4, DM-5, DM-9
        refusal { _ = try commit { $0.delete = name } }
        refusal { _ = try commit { $0.update.name = name } }
        var lookup = Google_Firestore_V1_BatchGetDocumentsRequest()
        lookup.database = Self.database
        lookup.documents = [name]
        refusal { _ = try decode(lookup, BatchGetDocumentsRequest.self) }
    }

    @Test(arguments: ["", "projects/p", "projects/p/databases/", "projects/p/databases/d/", "projects/p/databases/d/documents", "databases/d"])
    func `a request is for a database`(name: String) {
        var request = Google_Firestore_V1_CommitRequest()
        request.database = name
        refusal { _ = try decode(request, CommitRequest.self) }
    }

    @Test func `ids in arguments hold no slashes`() {
        // DM-9
        var list = Google_Firestore_V1_ListDocumentsRequest()
        list.parent = Self.database + "/documents"
        list.collectionID = "a/b"
        refusal { _ = try decode(list, ListDocumentsRequest.self) }
        var create = Google_Firestore_V1_CreateDocumentRequest()
        create.parent = Self.database + "/documents"
        create.collectionID = "c"
        create.documentID = "a/b"
        refusal { _ = try decode(create, CreateDocumentRequest.self) }
        create.documentID = ""
        create.document.name = Self.name
        refusal { _ = try decode(create, CreateDocumentRequest.self) }
    }

    @Test func `text is UTF-8`() {
        // VAL-26: `database` with a byte that is not UTF-8.
        refusal { _ = try CommitRequest(decoding: ByteSlice([0x0A, 0x03] + Array("p".utf8) + [0xC3, 0x28])) }
    }

    // MARK: Streams, transactions

    @Test func `later messages of a write stream need not name the database`() throws {
        var message = Google_Firestore_V1_WriteRequest()
        message.streamToken = .init([1])
        #expect(try decode(message, WriteRequest.self).database == nil)
        message.writes = [.with { $0.delete = Self.name }]
        #expect(try decode(message, WriteRequest.self).database == DatabaseID(projectID: "p"))
        message.writes.append(.with { $0.delete = "projects/q/databases/(default)/documents/c/d" })
        refusal { _ = try decode(message, WriteRequest.self) }
    }

    @Test func `transactions are read-write when begun, read-only when begun by a read`() throws {
        // TX-1
        var begin = Google_Firestore_V1_BeginTransactionRequest()
        begin.database = Self.database
        #expect(try decode(begin, BeginTransactionRequest.self).options == .readWrite(retrying: nil))
        begin.options = .init()
        #expect(try decode(begin, BeginTransactionRequest.self).options == .readWrite(retrying: nil))
        begin.options.readOnly = .init()
        #expect(try decode(begin, BeginTransactionRequest.self).options == .readOnly(at: nil))
        var read = Google_Firestore_V1_BatchGetDocumentsRequest()
        read.database = Self.database
        read.newTransaction = .init()
        #expect(try decode(read, BatchGetDocumentsRequest.self).consistency == .newTransaction(.readOnly(at: nil)))
        read.newTransaction.readWrite.retryTransaction = .init([7])
        #expect(try decode(read, BatchGetDocumentsRequest.self).consistency == .newTransaction(.readWrite(retrying: ByteSlice([7]))))
        read.readTime.nanos = 1
        refusal { _ = try decode(read, BatchGetDocumentsRequest.self) }
    }

    @Test func `an invalid target fails alone, not the request`() throws {
        // LS-9
        func target(_ build: (inout Google_Firestore_V1_Target) -> Void) throws -> ListenTargetRequest {
            var message = Google_Firestore_V1_ListenRequest()
            message.database = Self.database
            build(&message.addTarget)
            let request: ListenRequest = try decode(message)
            guard case .add(let target) = request.change else { throw FirestoreError(.internal, "an added target is expected") }
            return target
        }
        func code(_ build: (inout Google_Firestore_V1_Target) -> Void) throws -> FirestoreError.Code? {
            guard case .failure(let error) = try target({ $0.targetID = 3; build(&$0) }).target else { return nil }
            return error.code
        }
        #expect(try code { _ in } == .invalidArgument)
        #expect(try code { $0.documents.documents = ["c/d"] } == .invalidArgument)
        #expect(try code { $0.query.parent = Self.name } == .invalidArgument)
        #expect(try code { $0.query.parent = "projects/q/databases/(default)/documents"; $0.query.structuredQuery = .init() } == .invalidArgument)
        #expect(try code { $0.documents.documents = [Self.name]; $0.readTime.seconds = .max } == .invalidArgument)
        #expect(try code { $0.pipelineQuery = .init() } == .unimplemented)
        #expect(try code { $0.documents.documents = [Self.name] } == nil)
        #expect(try target { $0.documents = .init(); $0.resumeToken = .init() }.start == .beginning)
        #expect(try target { $0.documents = .init(); $0.expectedCount = 0 }.expectedCount == 0)
        #expect(try target { $0.documents = .init() }.expectedCount == nil)
        var empty = Google_Firestore_V1_ListenRequest()
        empty.database = Self.database
        refusal { _ = try decode(empty, ListenRequest.self) }
    }
}
