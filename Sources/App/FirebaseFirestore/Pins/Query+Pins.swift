// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Firestore {
    /// The queries and documents that stay in the cache.
    ///
    /// Beyond the Apple SDK.
    public var pins: Pins { Pins(firestore: self) }

    /// Runs an operation on the pins, which a database without a cache does not have.
    func withPins<Value: Sendable>(
        _ body: @Sendable ((any PinAdministration)?) async throws(FirestoreError) -> Value
    ) async throws -> Value {
        do throws(FirestoreError) {
            return try await body(try backend().pins)
        } catch {
            throw error.publicError
        }
    }

    fileprivate func keepOffline(
        _ target: Result<ClientTarget, FirestoreError>, named name: String, refreshEvery interval: Duration
    ) async throws {
        do throws(FirestoreError) {
            let (backend, target) = (try backend(), try target.get())
            if let pins = backend.pins { return try await pins.pin(target, named: name, refreshEvery: interval) }
            guard !backend.isShared else {
                throw FirestoreError(.failedPrecondition, "this database has no cache, which a pin needs; set settings.cacheSettings")
            }
            // The embedded database has all of its data here.
        } catch {
            throw error.publicError
        }
    }
}

extension Query {
    /// Retains the result of the query in the cache, whatever else happens there, and refreshes it in the background.
    ///
    /// The pin lasts until ``Pins/unpin(_:)``, in a persistent cache over restarts, too. Its changes are fetched now, at every
    /// start, and after every `interval`, without listening in between. Returns when the pin is stored; ``Firestore/pins`` reports
    /// when its documents have arrived. A pin of the same name is replaced.
    ///
    /// Has no effect on the embedded database, which has all data.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - name: Identifies the pin in this cache; not empty.
    ///   - interval: The time between two refreshes; positive, an hour by default.
    /// - Throws: `invalidArgument` for an empty name, an interval that is not positive, or an invalid query;
    ///   `failedPrecondition` for a database on a server without a cache.
    public nonisolated(nonsending) func keepOffline(
        named name: String, refreshEvery interval: Duration = .seconds(3_600)
    ) async throws {
        try await firestore.keepOffline(runnable.map { .query($0) }, named: name, refreshEvery: interval)
    }
}

extension DocumentReference {
    /// Retains the document in the cache, whatever else happens there, and refreshes it in the background.
    ///
    /// Otherwise like ``Query/keepOffline(named:refreshEvery:)``.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - name: Identifies the pin in this cache; not empty.
    ///   - interval: The time between two refreshes; positive, an hour by default.
    /// - Throws: `invalidArgument` for an empty name, an interval that is not positive, or an invalid path;
    ///   `failedPrecondition` for a database on a server without a cache.
    public nonisolated(nonsending) func keepOffline(
        named name: String, refreshEvery interval: Duration = .seconds(3_600)
    ) async throws {
        try await firestore.keepOffline(location.map { .document($0) }, named: name, refreshEvery: interval)
    }
}
