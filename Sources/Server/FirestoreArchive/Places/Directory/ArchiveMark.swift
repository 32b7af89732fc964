// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The file `.hearth-archive` with a random text, by which a process recognizes the folder of its archive.
///
/// A mount point still exists when its disk is gone, and an archive would be continued on the disk below. The same folder
/// without its mark was emptied: it is used again.
final class ArchiveMark: Sendable {
    static let fileName = ".hearth-archive"

    private struct Known: Equatable {
        var mark: [UInt8]?
        /// The disk, and the folder on it.
        var place: [UInt64]?
    }

    private let known = Mutex(Known())

    /// Throws if the folder is not the one that this process has used before.
    func check(_ root: OpenFolder) throws(FirestoreError) {
        let found = Known(mark: try root.bytes(of: Self.fileName), place: root.place)
        let isKnown = known.withLock { known in
            let isEmptied = found.mark == nil && found.place != nil && found.place == known.place
            if known.mark == nil || isEmptied || known.mark == found.mark { known = found }
            return known == found
        }
        guard isKnown else {
            throw FirestoreError(
                .unavailable,
                "the folder is not the one that was used as the archive before; check that its disk is mounted; if the folder was made "
                    + "anew, start the server again", at: root.path)
        }
    }

    /// Creates the mark in a folder that has none, after `check`.
    func leave(in root: OpenFolder) throws(FirestoreError) {
        guard known.withLock({ $0.mark }) == nil else { return }
        // Another process may be first.
        _ = try NewFile.create(Self.fileName, Array("\(AutoID.make())\n".utf8), in: root)
        try check(root)
    }
}
