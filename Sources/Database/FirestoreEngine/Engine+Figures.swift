// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite

extension Engine {
    package var figures: StoreFigures {
        var figures = core.committer.figures
        (figures.listeners, figures.targets) = core.hub.counts
        figures.conflicts = core.conflicts.withLock { $0 }
        (figures.indexBuilds, figures.indexesBeingBuilt) = core.indexes.buildCounts
        return figures
    }

    /// The last commit of the file when it was opened, if that has begun a run (`DatabaseRuns`): what another place knows of this database
    /// beyond it, the file has lost.
    package var openedAt: DocumentVersion? { (core.store as? SQLiteStore)?.opened }

    package var hasLostFiles: Bool { (core.store as? SQLiteStore)?.hasLostFiles ?? false }

    package func usedBytes() async throws(FirestoreError) -> Int64? {
        guard let file = core.store as? SQLiteStore else { return nil }
        return try await Self.onThread { () throws(FirestoreError) in try file.usedByteCount() }
    }
}
