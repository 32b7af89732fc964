// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// A query or a document that stays in the cache.
///
/// Beyond the Apple SDK.
public struct Pin: Sendable, Identifiable {
    /// The data that a pin retains.
    ///
    /// Beyond the Apple SDK.
    public enum Target: Sendable {
        /// The result of a query.
        case query(Query)
        /// One document.
        case document(DocumentReference)
    }

    /// The name it was given.
    public let name: String
    /// The name.
    public var id: String { name }
    /// The data that the pin retains.
    public let target: Target
    /// The time between two refreshes.
    public let refreshInterval: Duration
    /// The documents of the result that are cached.
    public let documentCount: Int
    /// The size of these documents, in bytes.
    public let byteCount: Int
    /// The time of the server as of which the result is complete; nil if it has never been complete.
    public let asOf: Date?
    /// Whether the last refresh is complete. False while a refresh waits for the server, and after it was rejected.
    public let isCurrent: Bool
    /// Why the server has rejected the last refresh; nil if it has not.
    public let lastError: FirestoreErrorCode?

    init(_ pin: PinnedTarget, of firestore: Firestore) {
        name = pin.name
        target =
            switch pin.target {
            case .query(let query): .query(Query(firestore: firestore, definition: .success(query)))
            case .document(let key): .document(DocumentReference(key: key, firestore: firestore))
            }
        refreshInterval = pin.refreshInterval
        documentCount = pin.documentCount
        byteCount = Int(pin.byteCount)
        asOf = pin.asOf == .none ? nil : Date(timeIntervalSince1970: Double(pin.asOf.microseconds) / 1_000_000)
        isCurrent = pin.isCurrent
        lastError = pin.lastError?.publicError
    }
}

/// The data that stays in the cache without a listener, by name.
///
/// ```swift
/// try await db.collection("trails").keepOffline(named: "trails")
/// for try await pins in db.pins {
///     for pin in pins { print(pin.name, pin.documentCount, pin.isCurrent ? "up to date" : "waiting") }
/// }
/// ```
/// As a sequence it gives the pins now and after every change; a slow loop misses intermediate states, nothing accumulates. A database
/// without a cache has no pins: there the sequence gives one empty array and ends.
///
/// Beyond the Apple SDK.
public struct Pins: AsyncSequence, Sendable {
    /// The pins at one moment.
    public typealias Element = [Pin]
    /// The error of reading them.
    public typealias Failure = any Error

    let firestore: Firestore

    /// The pins now. Counts the documents of each pin.
    public nonisolated(nonsending) func current() async throws -> [Pin] { try await list() }

    /// Asks the server for changes now, without waiting for the interval to pass. Returns immediately.
    ///
    /// Throws `notFound` if no pin has that name.
    public nonisolated(nonsending) func refresh(_ name: String) async throws {
        try await firestore.withPins { (pins) throws(FirestoreError) in
            guard let pins else { throw .noPins(name) }
            try await pins.refreshPin(named: name)
        }
    }

    /// Ends a pin. Its documents stay until they are the ones used least recently; in a cache in memory they go, unless a listener uses
    /// them.
    ///
    /// Throws `notFound` if no pin has that name.
    public nonisolated(nonsending) func unpin(_ name: String) async throws {
        try await firestore.withPins { (pins) throws(FirestoreError) in
            guard let pins else { throw .noPins(name) }
            try await pins.unpin(name)
        }
    }

    /// Observes the pins.
    public func makeAsyncIterator() -> Iterator {
        let pins = self
        return Iterator(
            changes: QueueChanges(of: firestore, observing: { $0.pins.map { pins in { pins.observePins($0) } } }) {
                try await pins.list()
            })
    }

    /// The iterator of a loop over the pins. Destroying it ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: QueueChanges<[Pin]>

        /// The pins after the next change; nil when the task is canceled.
        ///
        /// Throws `failedPrecondition` once the instance is terminated.
        public nonisolated(nonsending) mutating func next() async throws -> [Pin]? { try await changes.next() }
    }

    private func list() async throws -> [Pin] {
        try await firestore.withPins { [firestore] (pins) throws(FirestoreError) in
            try await pins?.pinnedTargets().map { Pin($0, of: firestore) } ?? []
        }
    }
}

@available(*, unavailable)
extension Pins.Iterator: Sendable {}

extension FirestoreError {
    fileprivate static func noPins(_ name: String) -> FirestoreError {
        FirestoreError(.notFound, "no pin has the name \"\(name)\": this database has no cache; set settings.cacheSettings")
    }
}
