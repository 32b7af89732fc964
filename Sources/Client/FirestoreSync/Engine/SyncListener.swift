// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One listener of the engine. Used on the engine's queue.
package final class SyncListener {
    package struct Options: Sendable, Hashable {
        package var source: ReadSource
        package var includeMetadataChanges: Bool
        /// The first event waits for the authority, unless the client is offline (SY-92b).
        package var waitsForSync: Bool
        /// It does not wait if the cache has something.
        package var prefersCache: Bool
        /// The first event also waits until the authority has reported the documents of acknowledged writes that it shows: for
        /// reads, which see no second event. The wait is bounded.
        package var confirmsWrites: Bool

        package init(
            source: ReadSource = .default, includeMetadataChanges: Bool = false, waitsForSync: Bool = false, prefersCache: Bool = false,
            confirmsWrites: Bool = false
        ) {
            self.source = source
            self.includeMetadataChanges = includeMetadataChanges
            self.waitsForSync = waitsForSync
            self.prefersCache = prefersCache
            self.confirmsWrites = confirmsWrites
        }
    }

    package let target: ClientTarget
    package let options: Options
    /// Called with each snapshot, or once with the error after which nothing follows.
    package let onEvent: (Result<SyncSnapshot, FirestoreError>) -> Void

    /// The newest state of its view, delivered or not; nil until there is one that could have been delivered.
    var lastSnapshot: SyncSnapshot?
    var hasRaisedFirst = false
    /// Whether its view was empty when it began.
    var beganEmpty = false
    /// Whether it has waited long enough for the authority to report acknowledged writes.
    var isConfirmationOverdue = false
    /// Whether it was removed, perhaps by a callback of the step that is being delivered.
    var hasEnded = false

    package init(
        to target: ClientTarget, options: Options = Options(), onEvent: @escaping (Result<SyncSnapshot, FirestoreError>) -> Void
    ) {
        self.target = target
        self.options = options
        self.onEvent = onEvent
    }
}
