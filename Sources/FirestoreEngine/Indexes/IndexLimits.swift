// SPDX-License-Identifier: Apache-2.0

/// How much is done for indexes at once, and when one is made by need.
package struct IndexLimits: Sendable {
    /// One step of a build holds the writer for this many documents, bytes of them or entries at most.
    package var documentsPerStep: Int
    package var bytesPerStep: Int
    package var entriesPerStep: Int
    /// Of one collection id; beyond that the one not used for longest goes.
    package var automaticIndexes: Int
    /// Wishes of queries that wait to be looked at.
    package var wishes: Int
    /// Shapes of queries remembered for `neededIndexes`.
    package var needed: Int

    package init(
        documentsPerStep: Int = 2_000, bytesPerStep: Int = 4 * 1_024 * 1_024, entriesPerStep: Int = 8_000,
        automaticIndexes: Int = 100, wishes: Int = 16, needed: Int = 1_000
    ) {
        self.documentsPerStep = documentsPerStep
        self.bytesPerStep = bytesPerStep
        self.entriesPerStep = entriesPerStep
        self.automaticIndexes = automaticIndexes
        self.wishes = wishes
        self.needed = needed
    }
}
