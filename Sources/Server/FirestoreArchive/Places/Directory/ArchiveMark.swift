// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The file `.hearth-archive` with a random text, by which a process recognizes the folder of its archive.
///
/// A mount point still exists when its disk is gone, and an archive would be continued on the disk below.
final class ArchiveMark: Sendable {
    static let fileName = ".hearth-archive"

    private let known = Mutex<[UInt8]?>(nil)

    /// Throws if the folder is not the one that this process has used before.
    func check(_ root: OpenFolder) throws(FirestoreError) {
        let found = try root.bytes(of: Self.fileName)
        let isKnown = known.withLock { known in
            if known == nil { known = found }
            return known == found
        }
        guard isKnown else {
            throw FirestoreError(
                .unavailable, "the folder is not the one that was used as the archive before; check that its disk is mounted", at: root.path
            )
        }
    }

    /// Creates the mark in a folder that has none, after `check`.
    func leave(in root: OpenFolder) throws(FirestoreError) {
        guard known.withLock({ $0 }) == nil else { return }
        // Another process may be first.
        _ = try NewFile.create(Self.fileName, Array("\(AutoID.make())\n".utf8), in: root)
        try check(root)
    }
}
