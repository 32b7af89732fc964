// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// That a database was deleted while its server had a lease. The next lease ends it: the database was brought back, or another one has its
/// name.
package struct ArchivedDeletion: Sendable, Hashable, Codable {
    let lease: Int
    /// In microseconds.
    let deleted: Int64
    /// For people.
    package let time: String

    package var moment: DocumentVersion { DocumentVersion(microseconds: deleted) }

    static func load(
        _ name: String, of layout: ArchiveLayout, from store: any ArchiveStore
    ) async throws(FirestoreError) -> ArchivedDeletion {
        let bytes = try await store.existing(name)
        let deletion: ArchivedDeletion = try ArchiveJSON.read(bytes, name: name)
        guard name == layout.deletion(deletion.lease) else {
            throw .damagedObject(name, "it is about another lease than its name says")
        }
        return deletion
    }

    /// Notes in an archive that a database is deleted, if a process has its last lease.
    static func note(of layout: ArchiveLayout, holder: String, in store: any ArchiveStore, now: Int64) async throws(FirestoreError) {
        let catalog = try await ArchiveCatalog.load(layout, from: store)
        guard let last = catalog.leases.last, last.holder == holder else { return }
        let deletion = ArchivedDeletion(lease: last.number, deleted: now, time: TimestampValue(microsecondsSince1970: now).text)
        _ = try await store.put(layout.deletion(last.number), ArchiveJSON.bytes(deletion))
    }
}
