// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The right to store copies of a file set. The next lease ends it: copies under a later lease are newer than all under this one.
struct FileSetLease: Sendable, Hashable, Codable {
    let number: Int
    /// The folder of the file set in the archive.
    let folder: String
    /// The process that took it: a random number.
    let holder: String
    /// When it was taken, for people.
    let taken: String

    static func load(_ number: Int, of set: ArchivedFileSet, from store: any ArchiveStore) async throws(FirestoreError) -> FileSetLease {
        let name = set.lease(number)
        let bytes = try await store.existing(name)
        let lease: FileSetLease = try ArchiveJSON.read(bytes, name: name)
        guard lease.number == number, lease.folder == set.root else {
            throw .damagedObject(name, "it is not the lease that its name says")
        }
        return lease
    }
}

/// What a data directory knows of the archive of a file set: the lease under which it was archived last. Written before the lease is
/// taken, so that a server that ends in between recognizes it.
struct FileSetRecord: Codable, Hashable {
    static let fileName = "archive-lease.json"

    /// Where the archive is.
    let place: String
    let lease: Int
    let holder: String

    static func read(in folder: String) -> FileSetRecord? {
        // A record of a newer version is ignored; the lease in the archive decides.
        guard let data = FileManager.default.contents(atPath: folder + "/" + fileName) else { return nil }
        return try? ArchiveJSON.read(Array(data), name: fileName)
    }

    func write(in folder: String) throws(FirestoreError) {
        let file = folder + "/" + Self.fileName
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(ArchiveJSON.bytes(self)).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw FirestoreError(.unavailable, "the lease of the archive cannot be noted", at: file, cause: error)
        }
    }
}

/// Takes the lease of a file set, when its server starts to archive it.
struct FileSetLeaseTaking {
    let set: ArchivedFileSet
    let store: any ArchiveStore
    /// Of the files, in the data directory.
    let folder: String
    let holder: String
    let now: Int64

    enum Outcome {
        case taken(Int)
        /// Another server archives the file set.
        case lost(FileSetLease)
    }

    func run(_ catalog: FileSetCatalog) async throws(FirestoreError) -> Outcome {
        var number = 1
        if let last = catalog.leases.last {
            let lease = try await FileSetLease.load(last, of: set, from: store)
            // One that was never archived here takes over; so does the one that was, and ended between the two steps below.
            if let record = FileSetRecord.read(in: folder), record.place == store.description, record.holder != lease.holder,
                record.lease <= last
            {
                return .lost(lease)
            }
            number = last + 1
        }
        // An archive may have lost leases.
        number = max(number, (catalog.copies + catalog.reaches).map { $0.lease + 1 }.max() ?? 1)
        try FileSetRecord(place: store.description, lease: number, holder: holder).write(in: folder)
        let lease = FileSetLease(
            number: number, folder: set.root, holder: holder, taken: TimestampValue(microsecondsSince1970: now).text)
        guard try await store.put(set.lease(number), ArchiveJSON.bytes(lease)) else {
            throw FirestoreError(.aborted, "another server has taken the lease of the archive in this moment", at: set.lease(number))
        }
        return .taken(number)
    }
}
