// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The backups in the archive of one database, which may be gone.
package struct KeptBases: Sendable {
    let store: any ArchiveStore
    let layout: ArchiveLayout

    package init(of database: DatabaseID, in store: any ArchiveStore) {
        self.store = store
        layout = ArchiveLayout(database)
    }

    /// Sorted by id.
    package func all() async throws(FirestoreError) -> [KeptBase] {
        var found: [KeptBase] = []
        for object in try await store.list(layout.kept, after: nil, limit: .max) {
            // One that another server has removed meanwhile is gone.
            guard let bytes = try await store.get(object.name) else { continue }
            found.append(try ArchiveJSON.read(bytes, name: object.name))
        }
        return found
    }

    func add(_ kept: KeptBase) async throws(FirestoreError) {
        let name = layout.kept + kept.id
        guard try await store.put(name, ArchiveJSON.bytes(kept)) else {
            throw FirestoreError(.alreadyExists, "the archive has a backup of this id", at: name)
        }
    }

    /// Removes a backup, and its copy unless a moment since `time` needs it, or another backup.
    func remove(_ kept: KeptBase, since time: DocumentVersion, now: Int64, _ tidying: ArchiveTidying) async throws(FirestoreError) {
        try await store.delete(layout.kept + kept.id)
        for garbage in try await ArchiveCatalog.load(layout, from: store).superfluous(before: time, now: now) {
            guard case .base(let base, let history) = garbage, kept.isOf(base, history) else { continue }
            try await tidying.remove(garbage)
        }
    }
}
