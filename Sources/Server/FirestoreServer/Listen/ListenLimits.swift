// SPDX-License-Identifier: Apache-2.0

/// Limits of one Listen stream.
package struct ListenLimits: Sendable {
    /// The maximum number of targets. The service has long documented a hundred per connection.
    package var targets: Int
    /// The maximum number of documents in all targets that name documents, and of queries.
    package var watches: Int
    /// Changes held for a slow reader. Beyond that, its watches are cancelled, and later resumed from its position.
    package var heldChanges: Int
    /// The limit of `heldChanges` in bytes of documents.
    package var heldBytes: Int
    /// The maximum number of watches that read their initial states at the same time.
    package var startingWatches: Int
    /// Documents of initial states that are not yet sent; while there are more, no target starts.
    package var heldFirstStates: Int

    package init(
        targets: Int = 1_000, watches: Int = 10_000, heldChanges: Int = 10_000, heldBytes: Int = 1_024 * 1_024,
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
