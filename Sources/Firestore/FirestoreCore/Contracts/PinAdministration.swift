// SPDX-License-Identifier: Apache-2.0

/// Retains queries and documents in a cache, with or without listeners.
package protocol PinAdministration: Sendable {
    /// Retains the result of a target in the cache from now on, across restarts too, and fetches it: now, at every start, and after every
    /// `interval`. Replaces a pin that has the same name. Fails with `invalidArgument` for a target that a listener cannot show.
    func pin(_ target: ClientTarget, named name: String, refreshEvery interval: Duration) async throws(FirestoreError)

    /// All pinned targets, by name.
    func pinnedTargets() async throws(FirestoreError) -> [PinnedTarget]

    /// Fetches the changes of a pin now. Fails with `notFound` if no pin has that name.
    func refreshPin(named name: String) async throws(FirestoreError)

    /// Ends a pin: its data is removed like other documents. Fails with `notFound` if no pin has that name.
    func unpin(_ name: String) async throws(FirestoreError)

    /// Calls `body` on any thread after every change of the pins or of their data, until the handle is removed.
    func observePins(_ body: @escaping @Sendable () -> Void) -> any ListenHandle
}

/// A target whose result is retained in a cache.
package struct PinnedTarget: Sendable {
    package var name: String
    package var target: ClientTarget
    package var refreshInterval: Duration
    /// The documents of the result that are cached.
    package var documentCount: Int
    /// The size of their fields and ids.
    package var byteCount: Int64
    /// The authority's time that the result is complete as of; `.none` if it was never complete.
    package var asOf: DocumentVersion
    /// Whether the last fetch is complete.
    package var isCurrent: Bool
    /// Why the authority rejected the last fetch.
    package var lastError: FirestoreError?

    package init(
        name: String, target: ClientTarget, refreshInterval: Duration, documentCount: Int, byteCount: Int64, asOf: DocumentVersion,
        isCurrent: Bool, lastError: FirestoreError?
    ) {
        self.name = name
        self.target = target
        self.refreshInterval = refreshInterval
        self.documentCount = documentCount
        self.byteCount = byteCount
        self.asOf = asOf
        self.isCurrent = isCurrent
        self.lastError = lastError
    }
}
