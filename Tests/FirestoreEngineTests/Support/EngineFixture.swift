import FirestoreCore
import Foundation
import Testing

@testable import FirestoreEngine

let testDatabase = DatabaseID(projectID: "test")

/// A directory that goes away with the test.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "test.db") -> String { path + "/" + name }
}

extension Engine {
    static func memory(clock: any WallClock = SystemClock(), queue: CommitQueueLimits = .init()) throws -> Engine {
        try open(EngineConfiguration(location: .memory, databaseID: testDatabase, clock: clock, queue: queue))
    }

    static func file(
        _ path: String, durability: Durability = .relaxed, clock: any WallClock = SystemClock(),
        databaseID: DatabaseID = testDatabase
    ) throws(FirestoreError) -> Engine {
        try open(
            EngineConfiguration(
                location: .file(path: path), durability: durability, databaseID: databaseID, clock: clock))
    }

    @discardableResult
    func commit(_ writes: Write...) async throws(FirestoreError) -> CommitResponse {
        try await commit(writes, context: .embedded)
    }

    func get(_ path: String) async throws(FirestoreError) -> Document? {
        try await documents([DocumentKey(trusted: path)], context: .embedded).documents[0]
    }

    func paths(_ query: StructuredQuery) async throws(FirestoreError) -> [String] {
        try await run(query, context: .embedded).documents.map(\.key.path)
    }

    /// Everything submitted is over and every watch has been told.
    func settle() async {
        await core.committer.settle()
        _ = await core.hub.time()
    }

    /// Every test database is checked when it closes.
    func checkAndShutDown(_ location: SourceLocation = #_sourceLocation) async throws {
        #expect(try check() == [], sourceLocation: location)
        await shutdown()
    }
}

extension Write {
    static func set(_ path: String, _ fields: (String, Value)..., precondition: Precondition? = nil) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .set(FieldBytes(FieldMap(fields))), precondition: precondition)
    }

    static func delete(_ path: String) -> Write { Write(key: DocumentKey(trusted: path), operation: .delete) }

    static func increment(_ path: String, _ field: String, by amount: Int64 = 1) -> Write {
        Write(
            key: DocumentKey(trusted: path), operation: .patch(.empty, mask: []),
            transforms: [FieldTransform(path: FieldPathSegments(field), kind: .increment(.integer(amount)))])
    }
}

extension StructuredQuery {
    static func collection(_ path: String) -> StructuredQuery {
        StructuredQuery(scope: .collection(CollectionPath(trusted: path)))
    }

    static func group(_ id: String) -> StructuredQuery {
        StructuredQuery(scope: .collectionGroup(id: id, under: nil))
    }

    func filter(_ field: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> StructuredQuery {
        var copy = self
        copy.filter = .field(FieldPathSegments(field), op, ValueBytes(value))
        return copy
    }

    func ordered(by field: String, _ direction: FirestoreCore.SortOrder.Direction = .ascending) -> StructuredQuery {
        var copy = self
        copy.orders.append(FirestoreCore.SortOrder(path: FieldPathSegments(field), direction: direction))
        return copy
    }

    func window(offset: Int = 0, limit: Int?) -> StructuredQuery {
        var copy = self
        copy.offset = offset
        copy.limit = limit
        return copy
    }
}

/// Remembers what a target was told and keeps the view somebody would have who follows it.
final class RecordingSink: WatchSink {
    private struct State {
        var batches: [WatchBatch] = []
        var errors: [FirestoreError] = []
        var view: [DocumentKey: Document] = [:]
    }

    private let state = Mutex(State())

    func receive(_ batch: WatchBatch) {
        state.withLock { state in
            state.batches.append(batch)
            if batch.isReset { state.view = [:] }
            for change in batch.changes {
                switch change {
                case .update(let document): state.view[document.key] = document
                case .remove(let key): state.view[key] = nil
                }
            }
        }
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.errors.append(error) } }

    var batches: [WatchBatch] { state.withLock { $0.batches } }
    var errors: [FirestoreError] { state.withLock { $0.errors } }
    var view: [DocumentKey: Document] { state.withLock { $0.view } }

    /// `+path` and `-path` for every change, one string per batch, resets marked.
    var story: [String] {
        batches.map { batch in
            (batch.isReset ? "reset " : "")
                + batch.changes.map { change in
                    switch change {
                    case .update(let document): "+" + document.key.path
                    case .remove(let key): "-" + key.path
                    }
                }.sorted().joined(separator: " ")
        }
    }
}

/// Holds the committer still, so that what is submitted meanwhile becomes one group.
final class CommitterHold: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    init(_ engine: Engine) {
        let entered = DispatchSemaphore(value: 0)
        // An empty commit changes nothing; its completion runs on the committer's thread.
        engine.submit([], context: .embedded) { [gate] _ in
            entered.signal()
            gate.wait()
        }
        entered.wait()
    }

    func release() { gate.signal() }
}
