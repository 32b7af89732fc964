// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Which key an archive is encrypted with, or that it is not: an object that is read without a key. A server leaves it when it first uses
/// the archive, so that none begins to write with another key, or without one.
struct ArchiveKeyMark: Sendable, Hashable, Codable {
    static let name = "+archive/key"
    private static let newestFormat = 1

    let format: Int
    /// The check value of the key; nil without encryption.
    let key: String?

    init(_ key: ArchiveKey?) {
        format = Self.newestFormat
        self.key = key?.checkValue
    }

    /// nil if there is none.
    static func load(from store: any ArchiveStore) async throws(FirestoreError) -> ArchiveKeyMark? {
        guard let bytes = try await store.get(name) else { return nil }
        let head: ArchiveFormat = try ArchiveJSON.read(bytes, name: name)
        try head.check(newest: newestFormat, name: name)
        return try ArchiveJSON.read(bytes, name: name)
    }

    /// Throws if this is not the mark of an archive with that key.
    func check(_ own: ArchiveKeyMark, _ place: String) throws(FirestoreError) {
        guard key != own.key else { return }
        let message =
            switch (key, own.key) {
            case (nil, _):
                "the archive is not encrypted: use it without a key, or begin an encrypted one in another folder or under another prefix"
            case (_, nil): "the archive is encrypted: give its key"
            default:
                "the archive is encrypted with another key: give the one that it was begun with, or begin another archive in another "
                    + "folder or under another prefix"
            }
        throw FirestoreError(.failedPrecondition, message, at: place, cause: ArchiveKeyMismatch())
    }
}

/// The reason why an archive is refused: it has another key, or none.
package struct ArchiveKeyMismatch: Error {}

/// Compares the key of a command, or its absence, with that of an archive.
package struct ArchiveKeyCheck: Sendable {
    /// Without encryption.
    private let store: any ArchiveStore
    private let key: ArchiveKey?

    package init(_ store: any ArchiveStore) {
        let encrypted = store as? EncryptedArchive
        self.store = encrypted?.store ?? store
        key = encrypted?.key
    }

    private var own: ArchiveKeyMark { ArchiveKeyMark(key) }

    /// For who reads: throws if the archive says that it has another key. Returns what is wrong with the mark, if it cannot be read.
    package func check() async throws(FirestoreError) -> String? {
        do throws(FirestoreError) {
            try await ArchiveKeyMark.load(from: store)?.check(own, store.description)
            return nil
        } catch {
            guard error.code == .dataLoss else { throw error }
            return "\(error)"
        }
    }

    /// For who writes: throws if the archive has another key. Leaves a mark where there is none.
    ///
    /// Returns the parts of the archive that have another key all the same: an earlier version began them.
    package func checkOrLeave() async throws(FirestoreError) -> [String] {
        var known: ArchiveKeyMark?
        do throws(FirestoreError) {
            known = try await ArchiveKeyMark.load(from: store)
        } catch {
            guard error.code == .dataLoss else { throw error }
            // A damaged one is made anew, if the objects agree.
        }
        if let known {
            try known.check(own, store.description)
            return []
        }
        let foreign = try await parts()
        if try await !store.put(ArchiveKeyMark.name, ArchiveJSON.bytes(own)) {
            // Another server was first, or it is damaged.
            if let other = try? await ArchiveKeyMark.load(from: store) {
                try other.check(own, store.description)
            } else {
                try await store.delete(ArchiveKeyMark.name)
                _ = try await store.put(ArchiveKeyMark.name, ArchiveJSON.bytes(own))
            }
        }
        return foreign
    }

    /// Whether the mark is there. Without it the archive was emptied.
    func isMarked() async throws(FirestoreError) -> Bool { try await store.get(ArchiveKeyMark.name) != nil }

    // MARK: Archives without a mark

    private enum Sealing { case own, plain, other }

    /// The parts with another key, by an object of each. Throws if the archive as a whole has another one.
    private func parts() async throws(FirestoreError) -> [String] {
        var found: [(name: String, sealing: Sealing)] = []
        for database in try await ArchiveContents.databases(in: store) {
            let layout = ArchiveLayout(database)
            let lease = try await store.list(layout.leases, after: nil, limit: 1).first
            let sealing = try await sealing(of: lease, in: layout.root)
            if let sealing { found.append(("database \(database.databaseID), project \(database.projectID)", sealing)) }
        }
        for set in try await ArchivedFileSet.all(in: store) {
            let lease = try await store.list(set.leases, after: nil, limit: 1).first
            if let sealing = try await sealing(of: lease, in: set.root) { found.append((set.description, sealing)) }
        }
        let wanted: Sealing = key == nil ? .plain : .own
        // Where one part is encrypted, the archive was meant to be.
        let isForeign = key == nil ? found.contains { $0.sealing == .other } : !found.isEmpty && !found.contains { $0.sealing == .own }
        if isForeign { try Self.mark(found.contains { $0.sealing == .other }).check(own, store.description) }
        return found.filter { $0.sealing != wanted }.map(\.name)
    }

    /// The mark of an archive of which only that is known.
    private static func mark(_ isEncrypted: Bool) -> ArchiveKeyMark {
        var mark = ArchiveKeyMark(nil)
        if isEncrypted { mark = ArchiveKeyMark(unknown: "") }
        return mark
    }

    /// How a part is stored, by a small object of it; nil if that is not known.
    private func sealing(of lease: ArchiveObject?, in root: String) async throws(FirestoreError) -> Sealing? {
        var object = lease
        if object == nil { object = try await store.list(root, after: nil, limit: 1).first }
        guard let object, let bytes = try await store.get(object.name) else { return nil }
        do {
            let header = try SealedHeader(reading: bytes)
            return header.key == key?.identity ? .own : .other
        } catch SealedHeader.Problem.notEncrypted {
            return .plain
        } catch {
            return nil
        }
    }
}

extension ArchiveKeyMark {
    /// Of an archive with a key that is not known.
    fileprivate init(unknown key: String) {
        format = Self.newestFormat
        self.key = key
    }
}
