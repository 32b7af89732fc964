// SPDX-License-Identifier: Apache-2.0

/// The transactions of a cache, by name: for logs, and for tests in which one of them fails.
package enum StoreOperation: String, Sendable, Hashable, CaseIterable {
    case allocateTarget = "Allocate target"
    case releaseTarget = "Release target"
    case writeLocally = "Locally write mutations"
    case acknowledge = "Acknowledge batch"
    case reject = "Reject batch"
    case applyRemoteEvent = "Apply remote event"
    case followHistory = "Follow history"
    case noteViewChanges = "notifyLocalViewChanges"
    case changeUser = "Handle user change"
    case targetData = "Get target data"
    case lastSnapshotVersion = "Get last remote snapshot version"
    case newDocumentChanges = "Get new document changes"
    case executeQuery = "Execute query"
    case readDocument = "read document"
    case collectGarbage = "Collect garbage"
    case nextBatch = "Get next mutation batch"
    case highestBatch = "Get highest unacknowledged batch id"
    case remoteKeys = "Remote document keys"
    case loadBundle = "Load bundle"
    case streamToken = "Set last stream token"
    case inspectQueue = "Inspect queue"
}
