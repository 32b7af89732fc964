// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer

/// A copy that stays in the archive until a moment: a backup of a schedule.
package struct KeptBase: Sendable, Codable, Hashable {
    package let id: String
    let history: String
    /// The name of the copy.
    let base: String
    /// In microseconds.
    package let until: Int64
    /// The moment that the copy shows, in microseconds.
    package let created: Int64
    /// Of the database, as the admin API showed it.
    var uid = ""
    var place = ""
    var documents = 0
    /// Of the file.
    var bytes: Int64 = 0
    var indexEntries = 0

    /// Reads the object of a name.
    static func read(_ bytes: [UInt8], name: String, in layout: ArchiveLayout) throws(FirestoreError) -> KeptBase {
        let kept: KeptBase = try ArchiveJSON.read(bytes, name: name)
        let times = [kept.created, kept.until].map { TimestampValue(microsecondsSince1970: $0) }
        guard name == layout.kept + kept.id, times.allSatisfy(\.isValid), kept.documents >= 0, kept.bytes >= 0, kept.indexEntries >= 0
        else { throw .damagedObject(name, "it is not the backup that its name says") }
        return kept
    }

    func isOf(_ base: BaseName, _ history: UInt64) -> Bool {
        self.base == base.text && self.history == ArchiveLayout.text(ofHistory: history)
    }

    /// What restores exactly the copy.
    func plan(in layout: ArchiveLayout) throws(FirestoreError) -> RestorePlan {
        guard let number = ArchiveLayout.history(history), let name = BaseName(base) else {
            throw .damagedObject(layout.kept + id, "it names no copy")
        }
        return RestorePlan(history: number, base: name, segments: [], limit: nil, endsEarly: nil)
    }

    /// As the admin API shows it.
    func backup(of database: DatabaseID) -> DatabaseBackup {
        DatabaseBackup(
            id: id, database: database, uid: uid, place: place, moment: created, expiry: until,
            content: DatabaseBackup.Content(documents: documents, bytes: bytes, indexEntries: indexEntries))
    }
}

extension ArchiveCatalog {
    /// Whether a copy is a backup.
    func isKept(_ base: BaseName, _ history: UInt64) -> Bool { kept.contains { $0.isOf(base, history) } }

    /// The earliest moment since another one from which on the archive has everything; nil if it has nothing since then.
    func earliestMoment(since time: DocumentVersion, now: Int64) -> DocumentVersion? {
        if (try? plan(at: time, now: now)) != nil { return time }
        return spans.first { $0.base.time > time }?.base.time
    }
}
