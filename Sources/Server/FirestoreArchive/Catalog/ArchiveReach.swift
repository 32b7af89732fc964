// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How far an archive reaches: an object that its server writes about every minute, and when it stops, so that the last piece of the
/// journal cannot be missing without being missed. The one before it is removed.
///
/// It is listed before copies and the journal: what it promises was stored before it, so a listing that has it has that, too.
struct ArchiveReach: Sendable, Hashable, Codable {
    private static let newestFormat = 1

    let format: Int
    /// The folder in the archive of what it is about.
    let folder: String
    let lease: Int
    /// The last commit that is archived, or when the newest copy of files was made, in microseconds.
    let through: Int64
    /// For people.
    let time: String

    init(_ name: BaseName, in folder: String) {
        format = Self.newestFormat
        self.folder = folder
        lease = name.lease
        through = name.time.microseconds
        time = name.time.timestamp.text
    }

    var bytes: [UInt8] { ArchiveJSON.bytes(self) }

    /// Reads the object of a name, and checks that it is what its name says.
    static func check(_ bytes: [UInt8], _ reach: BaseName, in folder: String, name: String) throws(FirestoreError) {
        let head: ArchiveFormat = try ArchiveJSON.read(bytes, name: name)
        try head.check(newest: newestFormat, name: name)
        let read: ArchiveReach = try ArchiveJSON.read(bytes, name: name)
        guard read.folder == folder, read.lease == reach.lease, read.through == reach.time.microseconds else {
            throw .damagedObject(name, "it says another moment than its name")
        }
    }
}
