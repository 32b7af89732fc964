// SPDX-License-Identifier: Apache-2.0

/// How much index work is done in one step, and when indexes are created automatically.
package struct IndexLimits: Sendable {
    /// One step of a build holds the writer for at most this many documents, bytes of them, or entries.
    package var documentsPerStep: Int
    package var bytesPerStep: Int
    package var entriesPerStep: Int
    /// Per collection id; beyond that, the least recently used one is dropped.
    package var automaticIndexes: Int
    /// The number of indexes wanted by queries that wait for a decision.
    package var wishes: Int
    /// The number of query shapes remembered for `neededIndexes`.
    package var needed: Int
    /// Memory for sketches of vectors.
    package var sketchBytes: Int

    package init(
        documentsPerStep: Int = 2_000, bytesPerStep: Int = 4 * 1_024 * 1_024, entriesPerStep: Int = 8_000,
        automaticIndexes: Int = 100, wishes: Int = 16, needed: Int = 1_000, sketchBytes: Int = 64 << 20
    ) {
        self.documentsPerStep = documentsPerStep
        self.bytesPerStep = bytesPerStep
        self.entriesPerStep = entriesPerStep
        self.automaticIndexes = automaticIndexes
        self.wishes = wishes
        self.needed = needed
        self.sketchBytes = sketchBytes
    }
}
