// SPDX-License-Identifier: Apache-2.0

/// How much one Listen stream may ask for and keep.
package struct ListenLimits: Sendable {
    /// Targets at once. The service has long documented a hundred per connection.
    package var targets: Int
    /// Documents of all targets that name documents, and queries.
    package var watches: Int
    /// Changes kept for a reader that is behind. Beyond, its watches are given up, and taken up again where it stands.
    package var heldChanges: Int
    /// The same in bytes of documents.
    package var heldBytes: Int
    /// Watches that read their first states at once.
    package var startingWatches: Int
    /// Documents of first states that have not been sent; while there are more, no target starts.
    package var heldFirstStates: Int

    package init(
        targets: Int = 1_000, watches: Int = 10_000, heldChanges: Int = 10_000, heldBytes: Int = 16 * 1_024 * 1_024,
        startingWatches: Int = 64, heldFirstStates: Int = 20_000
    ) {
        self.targets = targets
        self.watches = watches
        self.heldChanges = heldChanges
        self.heldBytes = heldBytes
        self.startingWatches = startingWatches
        self.heldFirstStates = heldFirstStates
    }
}
