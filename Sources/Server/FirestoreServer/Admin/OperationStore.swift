// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The operations of a database, which are stored in it.
struct OperationStore: Sendable {
    /// The maximum number of them in a database.
    static let maximum = 1_000

    private let facts: any FactService
    private let clock: any WallClock

    init(_ facts: any FactService, clock: any WallClock) {
        self.facts = facts
        self.clock = clock
    }

    /// Stores a new operation, and returns its id. Forgets those that are over for long, and the oldest if there are too many.
    func add(_ record: OperationRecord) async throws(FirestoreError) -> String {
        let known = try await all()
        let now = clock.now()
        var gone = known.filter { $0.isDone && $0.started + OperationRecord.lifetime <= now }
        let excess = known.count - gone.count - Self.maximum + 1
        if excess > 0 { gone += known.filter { $0.isDone && $0.started + OperationRecord.lifetime > now }.suffix(excess) }
        guard known.count - gone.count < Self.maximum else {
            throw FirestoreError(
                .resourceExhausted, "\(Self.maximum) operations are being performed; wait for some of them, or cancel some")
        }
        for record in gone { try await remove(record.id) }
        try await facts.setFact(OperationRecord.facts + record.id, record.stored)
        return record.id
    }

    func record(_ id: String) async throws(FirestoreError) -> OperationRecord? {
        try await facts.fact(OperationRecord.facts + id).flatMap { OperationRecord(id: id, stored: $0) }
    }

    /// The newest first.
    func all() async throws(FirestoreError) -> [OperationRecord] {
        try await facts.facts(below: OperationRecord.facts).compactMap { fact in
            OperationRecord(id: String(fact.key.dropFirst(OperationRecord.facts.count)), stored: fact.value)
        }.sorted { compareUTF8($0.key, $1.key) < 0 }
    }

    /// Changes an operation that is not over. Returns it; nil if it is gone.
    @discardableResult
    func change(
        _ id: String, _ change: @escaping @Sendable (inout OperationRecord) -> Void
    ) async throws(FirestoreError) -> OperationRecord? {
        try await facts.changeFact(OperationRecord.facts + id) { (stored) throws(FirestoreError) in
            guard let stored, var record = OperationRecord(id: id, stored: stored), !record.isDone else { return stored }
            change(&record)
            return record.stored
        }.flatMap { OperationRecord(id: id, stored: $0) }
    }

    func remove(_ id: String) async throws(FirestoreError) { try await facts.setFact(OperationRecord.facts + id, nil) }
}

/// Operations of databases that are gone, or not there yet, as long as the server runs.
final class DetachedOperations: Sendable {
    private static let maximum = 100

    private let operations = Mutex<[(name: String, operation: JSON)]>([])

    /// Keeps an operation that is over, and returns it.
    func add(_ type: AdminMessage, answer: OperationAnswer, in database: DatabaseID, now: Int64) -> JSON {
        var record = OperationRecord(database, type, .empty, now: now, process: "")
        record.finish(answer, now: now)
        set(record.operation)
        return record.operation
    }

    /// Keeps an operation, in place of the one of its name.
    func set(_ operation: JSON) {
        let name = operation.text("name")
        operations.withLock { operations in
            if let place = operations.lastIndex(where: { equalUTF8($0.name, name) }) { return operations[place].operation = operation }
            operations.append((name, operation))
            guard operations.count > Self.maximum, let old = operations.firstIndex(where: { $0.operation.flag("done") }) else { return }
            operations.remove(at: old)
        }
    }

    /// The operations of a database, the newest first.
    func operations(of database: DatabaseID) -> [JSON] {
        let prefix = database.resourceName + "/operations/"
        return operations.withLock { $0.filter { $0.name.utf8.starts(with: prefix.utf8) }.map(\.operation).reversed() }
    }

    func operation(_ name: String) -> JSON? { operations.withLock { $0.last { equalUTF8($0.name, name) }?.operation } }

    /// Returns whether there was one.
    func remove(_ name: String) -> Bool {
        operations.withLock { operations in
            let before = operations.count
            operations.removeAll { equalUTF8($0.name, name) }
            return operations.count < before
        }
    }
}
