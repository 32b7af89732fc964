// SPDX-License-Identifier: Apache-2.0
package import FirestoreArchive
package import FirestoreCore

/// An archive whose calls fail, wait or lie as a test decides.
package final class FaultyArchive: ArchiveStore {
    package typealias Schedule = @Sendable (ArchiveCall) -> ArchiveFault?

    private let store: any ArchiveStore
    private let state: Mutex<(calls: [ArchiveCall], schedule: Schedule)>

    /// - Parameter schedule: Returns the fault of a call; nil for a call without one. Called under a lock.
    package init(_ store: any ArchiveStore, schedule: @escaping Schedule = { _ in nil }) {
        self.store = store
        state = Mutex(([], schedule))
    }

    package var description: String { "\(store.description), with faults" }

    /// All calls until now.
    package var calls: [ArchiveCall] { state.withLock { $0.calls } }

    /// Replaces the schedule, from the next call.
    package func setSchedule(_ schedule: @escaping Schedule) { state.withLock { $0.schedule = schedule } }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        try await run(.put, name) { () async throws(FirestoreError) in try await self.store.put(name, bytes) }
    }

    package func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        let fault = note(.get, name)
        let bytes = try await run(fault) { () async throws(FirestoreError) in try await self.store.get(name) }
        guard case .damage(let change)? = fault, let bytes else { return bytes }
        return change(bytes)
    }

    package func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        let fault = note(.list, prefix)
        let objects = try await run(fault) { () async throws(FirestoreError) in
            try await self.store.list(prefix, after: after, limit: limit)
        }
        guard case .tear(let count)? = fault else { return objects }
        return Array(objects.prefix(count))
    }

    package func delete(_ name: String) async throws(FirestoreError) {
        try await run(.delete, name) { () async throws(FirestoreError) in try await self.store.delete(name) }
    }

    private func note(_ kind: ArchiveCall.Kind, _ name: String) -> ArchiveFault? {
        state.withLock { state in
            let call = ArchiveCall(kind: kind, name: name, number: state.calls.count + 1)
            state.calls.append(call)
            return state.schedule(call)
        }
    }

    private func run<R: Sendable>(
        _ kind: ArchiveCall.Kind, _ name: String, _ body: @Sendable () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R { try await run(note(kind, name), body) }

    private func run<R: Sendable>(
        _ fault: ArchiveFault?, _ body: @Sendable () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        switch fault {
        case .fail(let error): throw error
        case .loseAnswer(let error):
            _ = try await body()
            throw error
        case .delay(let wait):
            await wait()
            return try await body()
        case .tear, .damage, nil: return try await body()
        }
    }
}
