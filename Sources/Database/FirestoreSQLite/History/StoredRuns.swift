// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB

/// The runs of a database file (`DatabaseRuns`), in one fact: a byte that says whether all are there, and for each its mark and the last
/// commit before it, in 4 and 8 bytes, big-endian.
enum StoredRuns {
    static let fact = "hearth/runs"
    private static let length = 12

    static func read(_ database: Database) throws -> DatabaseRuns {
        let key = Data(fact.utf8)
        guard let bytes = try Data.fetchOne(database, sql: "SELECT value FROM facts WHERE key = ?", arguments: [key]) else {
            return DatabaseRuns()
        }
        // Damaged runs are not known, and tokens of unknown runs are not believed.
        return decode([UInt8](bytes)) ?? DatabaseRuns(isComplete: false)
    }

    /// Begins a run behind the last commit of the file, in the present transaction.
    static func begin(_ mark: UInt32, _ runs: DatabaseRuns, after start: DocumentVersion, in database: Database) throws -> DatabaseRuns {
        let next = runs.appending(mark, after: start)
        try database.execute(
            sql: "INSERT OR REPLACE INTO facts VALUES(?, ?)", arguments: [Data(fact.utf8), Data(encode(next))])
        return next
    }

    static func encode(_ runs: DatabaseRuns) -> [UInt8] {
        var bytes: [UInt8] = [runs.isComplete ? 1 : 0]
        for run in runs.all {
            withUnsafeBytes(of: run.mark.bigEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: run.start.microseconds.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// nil for other bytes.
    static func decode(_ bytes: [UInt8]) -> DatabaseRuns? {
        guard let first = bytes.first, first <= 1, bytes.count % length == 1 else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        var runs: [DatabaseRuns.Run] = []
        for place in stride(from: 1, to: bytes.count, by: length) {
            let time = Int64(bitPattern: number(place + 4..<place + length))
            guard time >= 0 else { return nil }
            runs.append(
                DatabaseRuns.Run(mark: UInt32(number(place..<place + 4)), start: DocumentVersion(microseconds: time)))
        }
        return DatabaseRuns(runs, isComplete: first == 1)
    }
}

/// Begins the run of a file that was opened without one, in the transaction of its first commit: a program that only reads writes nothing.
final class RunBeginning: Sendable {
    private let runs: DatabaseRuns
    private let makeRun: @Sendable () -> UInt32
    private let isPending = Mutex(true)

    init(_ runs: DatabaseRuns, _ makeRun: @escaping @Sendable () -> UInt32) { (self.runs, self.makeRun) = (runs, makeRun) }

    /// Call it in each transaction that commits, before its end. Returns whether the run begins with it.
    func begin(after last: DocumentVersion, in database: Database) throws -> Bool {
        guard isPending.withLock({ $0 }) else { return false }
        _ = try StoredRuns.begin(makeRun(), runs, after: last, in: database)
        return true
    }

    /// The transaction in which it began is durable.
    func begun() { isPending.withLock { $0 = false } }
}

extension StoreOpening {
    /// What begins the run with the first commit; nil if it has begun, or if the file continues another one's history.
    func lateRun(_ history: DatabaseHistory?) -> RunBeginning? {
        guard !beginsRun, !continuesHistory, let runs = history?.runs else { return nil }
        return RunBeginning(runs, makeRun)
    }
}
