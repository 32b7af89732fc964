// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The place at which the journal is continued.
struct SegmentWriting: Sendable {
    let history: UInt64
    let lease: Int
    /// The last commit that the archive has.
    private(set) var position: DocumentVersion
    /// Of the segment before; empty if there is none.
    private var hash: [UInt8]
    private var settings: [UInt8]?

    init(history: UInt64, lease: Int, position: DocumentVersion, hash: [UInt8]) {
        self.history = history
        self.lease = lease
        self.position = position
        self.hash = hash
    }

    /// - Parameter settings: The present ones.
    func segment(_ commits: [CommittedChanges], settings: [UInt8]) -> ArchiveSegment {
        ArchiveSegment(
            history: history, lease: lease, after: position, previous: hash, settings: settings == self.settings ? nil : settings,
            commits: commits)
    }

    mutating func stored(_ segment: ArchiveSegment, hash: [UInt8], settings: [UInt8]) {
        position = segment.through
        self.hash = hash
        self.settings = settings
    }
}
