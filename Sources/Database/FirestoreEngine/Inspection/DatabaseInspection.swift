// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
package import FirestoreStorage

/// A check of a database that is not open: what `hearth check` does.
package struct DatabaseInspection: Sendable {
    /// The canonical path of the file.
    package let file: String
    package let databaseID: DatabaseID
    package let formatVersion: Int64
    /// The time of the last commit.
    package let time: DocumentVersion
    package let report: ConsistencyReport

    /// Changes nothing. Fails if the file does not exist, is not a Hearth database, or is open in a process.
    package static func check(_ path: String) throws(FirestoreError) -> DatabaseInspection { try check(try StoreInspector(path)) }

    /// Checks a file that only this process knows, such as a new copy: without a lock, and with no other file beside it.
    package static func check(copy path: String) throws(FirestoreError) -> DatabaseInspection { try check(try StoreInspector(copy: path)) }

    /// Returns the properties of a copy, without checking it.
    package static func summary(ofCopy path: String) throws(FirestoreError) -> DatabaseCopy {
        let inspector = try StoreInspector(copy: path)
        defer { inspector.close() }
        let time = try inspector.read { (snapshot: ReadTransaction) in snapshot.readTime }
        return DatabaseCopy(time: time, documents: try inspector.documentCount(), bytes: try inspector.byteCount())
    }

    /// Everything found in a database that may be in use.
    package static func report(of store: any InspectableStore) throws(FirestoreError) -> ConsistencyReport {
        var report = try store.inspectConsistency()
        try store.inspect { (snapshot) throws(FirestoreError) in try IndexCheck.run(over: snapshot, into: &report) }
        return report
    }

    private static func check(_ inspector: StoreInspector) throws(FirestoreError) -> DatabaseInspection {
        defer { inspector.close() }
        var report = try inspector.inspectConsistency()
        let time = try inspector.read { (snapshot: ReadTransaction) throws(FirestoreError) in
            try IndexCheck.run(over: snapshot, into: &report)
            return snapshot.readTime
        }
        return DatabaseInspection(
            file: inspector.file, databaseID: inspector.databaseID, formatVersion: inspector.formatVersion, time: time, report: report)
    }

    /// Makes the repairs that this inspection found and returns them. Inspect again afterwards.
    package func repair() async throws(FirestoreError) -> [String] {
        var repairs = report.repairs
        // An index cannot be built over unreadable documents, and a partial one is useless.
        if report.hasLostDocuments { repairs.remove(.rebuildIndexes) }
        guard !repairs.isEmpty else { return [] }
        let done = try make(repairs)
        if repairs.contains(.rebuildIndexes) { try await buildIndexes() }
        return done
    }

    private func make(_ repairs: Set<ConsistencyRepair>) throws(FirestoreError) -> [String] {
        var opening = StoreOpening()
        opening.isForRepair = true
        let store = try SQLiteStore.open(StorePath(preparing: file), durability: .full, databaseID: databaseID, opening: opening)
        do throws(FirestoreError) {
            let done = try store.repair(repairs)
            try store.close()
            return done
        } catch {
            try? store.close()
            throw error
        }
    }

    /// Opening an engine builds the indexes that the catalog lists as missing.
    private func buildIndexes() async throws(FirestoreError) {
        var configuration = EngineConfiguration(location: .file(path: file), databaseID: databaseID)
        configuration.expiry.isOn = false
        let engine = try Engine.open(configuration)
        do throws(FirestoreError) {
            try await engine.indexesSettled()
        } catch {
            await engine.shutdown()
            throw error
        }
        await engine.shutdown()
    }
}
