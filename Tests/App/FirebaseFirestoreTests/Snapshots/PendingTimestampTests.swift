// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

/// What readers get instead of a server timestamp that the authority has not assigned yet (SY-38, SY-39, R84).
@Suite struct PendingTimestampTests {
    private let db = Scratch.firestore()
    private static let time = TimestampValue(seconds: 70, nanoseconds: 8_000)
    private static let estimate = Timestamp(seconds: 70, nanoseconds: 8_000)

    private static func pending(replacing value: Value? = nil) throws -> Value {
        let value = value.map { ValueBytes($0) }
        defer { withExtendedLifetime(value) {} }
        return try PendingTimestamp.bytes(localWriteTime: time, replacing: value?.view).value
    }

    private static func document(_ id: String = "n", _ entries: (String, Value)...) -> Document {
        Document(
            key: DocumentKey(trusted: "notes/\(id)"), createTime: .none, updateTime: .none, fields: FieldBytes(FieldMap(entries)))
    }

    private func snapshot(_ document: Document, isPending: Bool = true) -> DocumentSnapshot {
        DocumentSnapshot(
            reference: db.document(document.key.path), document: document,
            metadata: SnapshotMetadata(hasPendingWrites: isPending, isFromCache: true))
    }

    private func note(replacing value: Value? = nil) throws -> DocumentSnapshot {
        snapshot(Self.document("n", ("at", try Self.pending(replacing: value)), ("text", .string("x"))))
    }

    struct Note: Codable, Equatable {
        var text = "x"
        @ServerTimestamp var at: Date?
    }
    struct Exact: Codable, Equatable {
        @ServerTimestamp var at: Timestamp?
    }
    struct Plain: Codable, Equatable {
        var at: Date?
    }
    struct Required: Codable, Equatable {
        var at: Timestamp
    }

    // MARK: Dictionaries and fields

    @Test func `a field is null, the local time or the value before`() throws {
        let fresh = try note()
        #expect(fresh.data()?["at"] is NSNull && fresh.get("at") is NSNull && fresh["at"] is NSNull)
        #expect(fresh.data(with: .none)?["at"] is NSNull && fresh.get("at", serverTimestampBehavior: .none) is NSNull)
        #expect(fresh.data(with: .estimate)?["at"] as? Timestamp == Self.estimate)
        #expect(fresh.get("at", serverTimestampBehavior: .estimate) as? Timestamp == Self.estimate)
        #expect(fresh.data(with: .previous)?["at"] is NSNull && fresh.get("at", serverTimestampBehavior: .previous) is NSNull)
        let replacing = try note(replacing: .string("before"))
        #expect(replacing.data()?["at"] is NSNull)
        #expect(replacing.data(with: .previous)?["at"] as? String == "before")
        #expect(replacing.get(FieldPath(["at"]), serverTimestampBehavior: .previous) as? String == "before")
        #expect(replacing.get("text", serverTimestampBehavior: .previous) as? String == "x")
        #expect(replacing.get(FieldPath.documentID(), serverTimestampBehavior: .estimate) is DocumentReference)
    }

    @Test func `the settings choose the value of a pending timestamp`() throws {
        let settings = db.settings
        settings.serverTimestamps = .estimate
        db.settings = settings
        let fresh = try note(replacing: .string("before"))
        #expect(fresh.data()?["at"] as? Timestamp == Self.estimate && fresh["at"] as? Timestamp == Self.estimate)
        #expect(try fresh.data(as: Required.self) == Required(at: Self.estimate))
        #expect(fresh.data(with: .previous)?["at"] as? String == "before")
        let snapshot = QuerySnapshot(
            query: db.collection("notes"), view: view([Self.document("a", ("at", try Self.pending()))], pending: ["a"]))
        #expect(snapshot.documents.map { $0.data()["at"] as? Timestamp } == [Self.estimate])
        #expect(snapshot.documents(as: Exact.self).values == [Exact(at: Self.estimate)])
    }

    @Test func `fields of maps are read like others`() throws {
        let map = Value.map(FieldMap([("at", try Self.pending(replacing: .integer(3))), ("n", .integer(1))]))
        let snapshot = snapshot(Self.document("n", ("list", .array([map])), ("m", map)))
        #expect(snapshot.get("m.at") is NSNull)
        #expect(snapshot.get("m.at", serverTimestampBehavior: .estimate) as? Timestamp == Self.estimate)
        #expect(snapshot.get("m.at", serverTimestampBehavior: .previous) as? Int == 3)
        #expect((snapshot.data(with: .estimate)?["m"] as? [String: Any])?["at"] as? Timestamp == Self.estimate)
        let element = (snapshot.data(with: .previous)?["list"] as? [Any])?.first as? [String: Any]
        #expect(element?["at"] as? Int == 3 && element?["n"] as? Int == 1)
        // Its parts are no fields.
        #expect(snapshot.get(FieldPath(["m", "at", "__local_write_time__"])) == nil)
    }

    // MARK: Decoding

    @Test func `decoding follows the behavior`() throws {  // R84
        let fresh = try note()
        #expect(try fresh.data(as: Note.self) == Note())
        #expect(try fresh.data(as: Note.self, with: .estimate).at == Self.estimate.dateValue())
        #expect(try fresh.data(as: Exact.self, with: .estimate).at == Self.estimate)
        #expect(try fresh.data(as: Note.self, with: .previous) == Note())
        #expect(try fresh.data(as: Plain.self).at == nil)
        #expect(try fresh.data(as: Plain.self, with: .estimate).at == Self.estimate.dateValue())
        #expect(failureSummary { try fresh.data(as: Required.self) } == "valueNotFound at at")
        #expect(try fresh.data(as: Required.self, with: .estimate) == Required(at: Self.estimate))
        let replacing = try note(replacing: .timestamp(TimestampValue(seconds: 5, nanoseconds: 0)))
        #expect(try replacing.data(as: Note.self, with: .previous).at == Date(timeIntervalSince1970: 5))
        #expect(try replacing.data(as: Note.self).at == nil)
    }

    @Test func `a previous value of another type is a mismatch`() throws {  // R84
        let replacing = try note(replacing: .string("before"))
        #expect(failureSummary { try replacing.data(as: Note.self, with: .previous) } == "typeMismatch at at")
        struct Text: Codable { var at: String }
        #expect(try replacing.data(as: Text.self, with: .previous).at == "before")
    }

    @Test func `strategies and nested types see plain values`() throws {
        struct Outer: Codable, Equatable {
            var inner: Note
            var byName: [String: Plain]
            var list: [Exact]
        }
        let pending = try Self.pending()
        let plain = Value.map(FieldMap([("at", pending)]))
        let snapshot = snapshot(
            Self.document(
                "n", ("by_name", .map(FieldMap([("k", plain)]))), ("inner", .map(FieldMap([("at", pending), ("text", .string("x"))]))),
                ("list", .array([plain]))))
        let decoder = Firestore.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            try snapshot.data(as: Outer.self, decoder: decoder) == Outer(inner: Note(), byName: ["k": Plain()], list: [Exact()]))
        let date = Self.estimate.dateValue()
        #expect(
            try snapshot.data(as: Outer.self, with: .estimate, decoder: decoder)
                == Outer(inner: Note(at: date), byName: ["k": Plain(at: date)], list: [Exact(at: Self.estimate)]))
    }

    @Test func `a model that was read while the write was pending asks for a new time`() throws {  // R85
        let model = try note().data(as: Note.self)
        #expect(try Firestore.Encoder().encode(model)["at"] as? FieldValue == FieldValue.serverTimestamp())
        let estimated = try note().data(as: Exact.self, with: .estimate)
        #expect(try Firestore.Encoder().encode(estimated)["at"] as? Timestamp == Self.estimate)
    }

    // MARK: Results

    private func view(_ documents: [Document], pending: Set<String>, changes: [ViewChange]? = nil) -> ViewSnapshot {
        ViewSnapshot(
            documents: DocumentList(documents), changes: changes, readTime: .none,
            pendingKeys: KeySet(pending.map { DocumentKey(trusted: "notes/\($0)") }), isFromCache: true)
    }

    @Test func `documents of results are read by their own state`() throws {
        let (a, b) = (Self.document("a", ("at", try Self.pending())), Self.document("b", ("at", .timestamp(Self.time))))
        let snapshot = QuerySnapshot(query: db.collection("notes"), view: view([a, b], pending: ["a"]))
        #expect(snapshot.documents.map { $0.data()["at"] is NSNull } == [true, false])
        #expect(snapshot.documents.map { $0.data(with: .estimate)["at"] as? Timestamp } == [Self.estimate, Self.estimate])
        #expect(snapshot.documents(as: Exact.self).values == [Exact(), Exact(at: Self.estimate)])
    }

    @Test func `a removed document is still read in its last state`() throws {
        let gone = Self.document("a", ("at", try Self.pending(replacing: .integer(1))))
        let change = ViewChange(kind: .removed, document: gone, oldIndex: 0, newIndex: nil)
        let snapshot = QuerySnapshot(query: db.collection("notes"), view: view([], pending: [], changes: [change]))
        let document = try #require(snapshot.documentChanges.first?.document)
        #expect(!document.metadata.hasPendingWrites)
        #expect(document.data()["at"] is NSNull && document.data(with: .previous)["at"] as? Int == 1)
    }

    // MARK: Queries and writes

    @Test func `a document with a pending order field is not a cursor`() async throws {  // SY-38
        let snapshot = try note()
        let query = db.collection("notes").order(by: "at")
        for query in [query.start(atDocument: snapshot), query.end(beforeDocument: snapshot)] {
            let error = await #expect(throws: NSError.self) { try await query.getDocuments() }
            #expect(error?.code == FirestoreErrorCode.invalidArgument.rawValue)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("notes/n, field at") && text.contains("acknowledged") && text.contains("another order"), "\(text)")
        }
        // Its other fields and its name are.
        #expect(try await db.collection("notes").order(by: "text").start(afterDocument: snapshot).getDocuments().isEmpty)
        #expect(try await db.collection("notes").start(atDocument: snapshot).getDocuments().isEmpty)
    }

    @Test func `users cannot write one`() async throws {
        let forged: [String: Any] = ["__local_write_time__": Timestamp(), "__type__": "server_timestamp"]
        let document = db.document("notes/forged")
        await #expect(throws: (any Error).self) { try await document.setData(["at": forged]) }
        await #expect(throws: (any Error).self) { try await document.setData(["list": [["at": forged]]]) }
        await #expect(throws: (any Error).self) { try await document.setData(["at": FieldValue.arrayUnion([forged])]) }
        struct Forged: Codable {
            var time = Date()
            var type = "server_timestamp"
            enum CodingKeys: String, CodingKey {
                case time = "__local_write_time__"
                case type = "__type__"
            }
        }
        #expect(throws: (any Error).self) { try document.setData(from: ["at": Forged()]) }
        await #expect(throws: (any Error).self) { try await db.collection("notes").whereField("at", isEqualTo: forged).getDocuments() }
        #expect(try await !document.getDocument().exists)
    }
}
