// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What an archive has of a file set, by the names of its objects.
package struct FileSetCatalog: Sendable {
    package let set: ArchivedFileSet
    /// The numbers, in order.
    private(set) var leases: [Int] = []
    /// Complete copies, the oldest first: those under a later lease are newer.
    package private(set) var copies: [BaseName] = []
    /// The names of copies that were the newest ones when they were complete, the newest last.
    private(set) var reaches: [BaseName] = []
    /// Copies that were begun.
    private(set) var unfinished: [BaseName] = []
    /// Names that are not those of an archive.
    private(set) var foreign: [String] = []

    package static func load(_ set: ArchivedFileSet, from store: any ArchiveStore) async throws(FirestoreError) -> FileSetCatalog {
        var catalog = FileSetCatalog(set)
        var last: String?
        while true {
            let objects = try await store.list(set.root, after: last, limit: 1_000)
            for object in objects where !catalog.add(object.name) { catalog.foreign.append(object.name) }
            last = objects.last?.name
            if objects.count < 1_000 { break }
        }
        catalog.leases.sort()
        catalog.copies.sort { $0.isOlder(than: $1) }
        catalog.reaches.sort { $0.isOlder(than: $1) }
        return catalog
    }

    init(_ set: ArchivedFileSet, copies: [BaseName] = []) {
        self.set = set
        self.copies = copies
    }

    private mutating func add(_ name: String) -> Bool {
        let parts = name.dropFirst(set.root.count).split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("leases", 2):
            guard let number = Int(parts[1]), set.lease(number) == name else { return false }
            leases.append(number)
        case (Substring(ArchiveLayout.reachFolder), 2):
            guard let reach = BaseName(parts[1]) else { return false }
            reaches.append(reach)
        case ("copies", 3):
            guard let copy = BaseName(parts[1]) else { return false }
            if parts[2] == "done" {
                copies.append(copy)
            } else {
                guard parts[2].hasPrefix("part-") else { return false }
                // `done` is listed before the parts.
                if copies.last != copy, unfinished.last != copy { unfinished.append(copy) }
            }
        default: return false
        }
        return true
    }

    /// The copy to restore: the newest one from before a moment, or the newest of all. The oldest one if all are from after it.
    package func copy(at moment: DocumentVersion?) -> BaseName? {
        guard let moment else { return copies.last }
        return copies.last { $0.time <= moment } ?? copies.first
    }

    /// The copy that would be restored in place of that one, if it were not missing; nil if none is known to be.
    package func missing(at moment: DocumentVersion?) -> BaseName? {
        let there = copy(at: moment)
        return reaches.last { reach in
            !copies.contains(reach) && moment.map { reach.time <= $0 } ?? true && there.map { $0.isOlder(than: reach) } ?? true
        }
    }

    // MARK: Retention

    private static let hour: Int64 = 3_600_000_000

    /// Copies that are not needed: all of the last hour stay, then one of each hour, and of each day until the end of the window.
    func superfluous(now: Int64, keep: Duration) -> [BaseName] {
        var garbage = unfinished.filter { ArchiveTidying.isAbandoned($0, now: now) }
        var kept = Set<Int64>()
        for copy in copies.reversed() where copy != copies.last {
            let age = now - copy.time.microseconds
            if age <= Self.hour { continue }
            let stretch = age <= 24 * Self.hour ? Self.hour : 24 * Self.hour
            // Hours and days have different numbers.
            let isNeeded = age <= keep.microseconds && kept.insert(copy.time.microseconds / stretch).inserted
            if !isNeeded { garbage.append(copy) }
        }
        return garbage
    }
}

extension BaseName {
    /// Of copies of files, those under a later lease are newer.
    func isOlder(than other: BaseName) -> Bool { (lease, time) < (other.lease, other.time) }
}

extension FirestoreError {
    static func missingCopy(_ copy: BaseName, of set: ArchivedFileSet) -> FirestoreError {
        FirestoreError(
            .dataLoss, "the archive is incomplete: the copy of \(copy.time.timestamp.text) is missing, which was the newest one",
            at: set.folder(of: copy), cause: MissingCopy(time: copy.time))
    }
}

/// A copy of files that an archive had.
package struct MissingCopy: Error {
    package let time: DocumentVersion
}
