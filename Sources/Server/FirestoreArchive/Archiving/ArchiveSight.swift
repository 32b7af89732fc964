// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The objects by which it is seen that an archive still has what was stored in it: the lease, the last copy, the last piece of the
/// journal.
struct ArchiveSight: Sendable, Hashable {
    var lease: String
    /// What says that the copy is complete.
    var copy: String?
    var piece: String?

    /// Whether all of them are there. Reads the lease, which is small, and lists the others: in a bucket a listing costs ten times as
    /// much as an object that is read.
    func isThere(in store: any ArchiveStore) async throws(FirestoreError) -> Bool {
        guard try await store.get(lease) != nil else { return false }
        for name in [copy, piece].compactMap(\.self) {
            guard try await store.list(name, after: nil, limit: 1).first?.name == name else { return false }
        }
        return true
    }
}

extension FirestoreError {
    /// Of an archive that was emptied, or made anew.
    static func lostArchive(_ layout: ArchiveLayout) -> FirestoreError {
        FirestoreError(
            .dataLoss,
            "the archive has lost what was stored of the database: nothing until now can be restored from it, and a new copy is made; find "
                + "out who empties the folder or the bucket", at: layout.root)
    }
}
