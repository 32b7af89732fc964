// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreWire

package typealias TargetID = Int32

/// What a target is. Two queries that differ only in the end their limit counts from share one target (SY-4).
package typealias SyncTarget = ListenTargetRequest.Target

/// Why a target is requested (SY-10).
package enum TargetPurpose: Sendable, Hashable {
    case listen
    case existenceFilterMismatch
    /// The mismatch remained after a bloom filter had been applied.
    case existenceFilterMismatchBloom
    case limboResolution
}

/// The state of a target that outlives its listeners (SY-5).
package struct TargetData: Sendable, Equatable {
    package let target: SyncTarget
    package let targetID: TargetID
    package var purpose = TargetPurpose.listen
    /// When it was last used, in the cache's own counting (SY-11).
    package var sequenceNumber: Int64 = 0
    /// Everything up to `snapshotVersion` is known. Empty if the target must start anew.
    package var resumeToken = ByteSlice.empty
    /// The version of the token; without a token, the time to start from, if it is not `.none`.
    package var snapshotVersion = DocumentVersion.none
    /// The last version at which a view of it was synced and had no documents in limbo.
    package var lastLimboFreeSnapshotVersion = DocumentVersion.none
}
