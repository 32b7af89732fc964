// SPDX-License-Identifier: Apache-2.0

/// A repair of findings without guessing: everything it writes follows from the content of the file.
package enum ConsistencyRepair: String, Sendable, CaseIterable {
    // In the order in which they are made.
    case reindexTables, raiseCommitTime, relistCollections, rewriteDocuments, forgetHistory, rebuildIndexes

    /// The effect of the repair, as a clause.
    package var explanation: String {
        switch self {
        case .reindexTables: "SQLite's own indexes are rebuilt from its tables"
        case .raiseCommitTime: "the time of the last commit becomes the newest time in the database"
        case .relistCollections: "each collection is listed under the last segment of its path"
        case .rewriteDocuments: "the same values are written again in canonical form"
        case .forgetHistory: "the change log is emptied; documents are kept; reads at a time before the repair fail"
        case .rebuildIndexes: "the indexes are rebuilt from the documents"
        }
    }
}
