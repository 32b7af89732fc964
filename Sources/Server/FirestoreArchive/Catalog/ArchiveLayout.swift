// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// The names of the objects of a database in an archive.
///
///     PROJECT/DATABASE/leases/00000003                            who may write, one after the other
///     PROJECT/DATABASE/HISTORY/as-of/TIME-LEASE                   everything until that moment was archived
///     PROJECT/DATABASE/HISTORY/bases/TIME-LEASE/part-00001        a copy of the file, compressed, in pieces
///     PROJECT/DATABASE/HISTORY/bases/TIME-LEASE/done              what the copy is; written last
///     PROJECT/DATABASE/HISTORY/journal/AFTER-THROUGH-LEASE        the commits after one moment, through another
///     PROJECT/DATABASE/kept/ID                                    a base that stays until a day
///     PROJECT/DATABASE/deleted/00000003                           the database was deleted under that lease
///
/// Everything is in the names and the objects: nothing about an archive is stored elsewhere.
package struct ArchiveLayout: Sendable, Hashable {
    package let database: DatabaseID
    /// With a slash at the end.
    let root: String

    package init(_ database: DatabaseID) {
        self.database = database
        root = "\(PercentEncoding.fileName(database.projectID))/\(PercentEncoding.fileName(database.databaseID))/"
    }

    /// The database that an object belongs to; nil for file sets and foreign names.
    static func database(of name: String) -> DatabaseID? {
        let parts = name.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let project = PercentEncoding.decode(parts[0]), let database = PercentEncoding.decode(parts[1]) else {
            return nil
        }
        let id = DatabaseID(projectID: project, databaseID: database)
        // A name in another spelling is not one of ours.
        return name.utf8.starts(with: ArchiveLayout(id).root.utf8) ? id : nil
    }

    var leases: String { root + "leases/" }
    var kept: String { root + "kept/" }
    func deletion(_ lease: Int) -> String { root + "deleted/" + Self.digits(lease, 8) }

    func lease(_ number: Int) -> String { leases + Self.digits(number, 8) }
    func history(_ number: UInt64) -> String { root + Self.text(ofHistory: number) + "/" }
    func journal(_ history: UInt64) -> String { self.history(history) + "journal/" }
    func bases(_ history: UInt64) -> String { self.history(history) + "bases/" }

    /// Before those of copies and of the journal, in the order of names.
    static let reachFolder = "as-of"
    func reach(_ name: BaseName, _ history: UInt64) -> String { self.history(history) + Self.reachFolder + "/" + name.text }

    func segment(_ name: SegmentName, _ history: UInt64) -> String { journal(history) + name.text }
    func folder(of base: BaseName, _ history: UInt64) -> String { bases(history) + base.text + "/" }
    func part(_ number: Int, of base: BaseName, _ history: UInt64) -> String {
        folder(of: base, history) + "part-" + Self.digits(number, 5)
    }
    func manifest(of base: BaseName, _ history: UInt64) -> String { folder(of: base, history) + "done" }

    static func text(ofHistory number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    static func history(_ text: some StringProtocol) -> UInt64? {
        text.utf8.count == 16 && text == text.lowercased() ? UInt64(text, radix: 16) : nil
    }

    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

/// The name of a piece of the journal: the commits after one moment, through another, and the lease under which it was written.
package struct SegmentName: Sendable, Hashable {
    package let after: DocumentVersion
    package let through: DocumentVersion
    package let lease: Int

    package var text: String { "\(ArchiveTime.text(after))-\(ArchiveTime.text(through))-\(ArchiveLayout.digits(lease, 8))" }
}

extension SegmentName {
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let after = ArchiveTime.time(parts[0]), let through = ArchiveTime.time(parts[1]), after < through,
            let lease = Int(parts[2])
        else { return nil }
        self.init(after: after, through: through, lease: lease)
        guard self.text == text else { return nil }
    }
}

/// The name of a copy: the last commit in it, and the lease under which it was made.
package struct BaseName: Sendable, Hashable {
    package let time: DocumentVersion
    package let lease: Int

    var text: String { "\(ArchiveTime.text(time))-\(ArchiveLayout.digits(lease, 8))" }
}

extension BaseName {
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = ArchiveTime.time(parts[0]), let lease = Int(parts[1]) else { return nil }
        self.init(time: time, lease: lease)
        guard self.text == text else { return nil }
    }
}
