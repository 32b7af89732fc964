// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// The right to write into the archive of a database. The next lease ends it: what was archived under this one after the moment at which
/// the next one begins does not count.
package struct ArchiveLease: Sendable, Hashable, Codable {
    package let number: Int
    /// The folder of the database in the archive.
    let folder: String
    /// Of the database that is archived, as in the names of objects.
    let history: String
    /// The process that took it: a random number.
    let holder: String
    /// The last commit before the first one that is archived under it, in microseconds.
    let after: Int64
    /// When it was taken, for people.
    let taken: String

    package var start: DocumentVersion { DocumentVersion(microseconds: after) }
    package var historyNumber: UInt64? { ArchiveLayout.history(history) }

    var bytes: [UInt8] { ArchiveJSON.bytes(self) }

    init(number: Int, of layout: ArchiveLayout, history: UInt64, holder: String, start: DocumentVersion, now: Int64) {
        self.number = number
        folder = layout.root
        self.history = ArchiveLayout.text(ofHistory: history)
        self.holder = holder
        after = start.microseconds
        taken = TimestampValue(microsecondsSince1970: now).text
    }

    /// Reads the object of a name.
    init(_ bytes: [UInt8], name: String) throws(FirestoreError) {
        let lease: ArchiveLease = try ArchiveJSON.read(bytes, name: name)
        guard name == "\(lease.folder)leases/\(ArchiveLayout.digits(lease.number, 8))", lease.historyNumber != nil else {
            throw .damagedObject(name, "it is not the lease that its name says")
        }
        self = lease
    }
}

/// Small objects: JSON that people can read, and a line with its hash.
enum ArchiveJSON {
    static func bytes(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Structs of numbers and texts can always be written.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a value without a JSON form") }
        let text = Array(data) + [newline]
        return text + Array("sha256 \(text.sha256)\n".utf8)
    }

    private static let newline = UInt8(ascii: "\n")

    static func read<Value: Decodable>(_ bytes: [UInt8], name: String) throws(FirestoreError) -> Value {
        try FirestoreError.checkIsPlain(bytes, name: name)
        guard let end = bytes.dropLast().lastIndex(of: newline) else { throw .damagedObject(name, "it is cut off") }
        let text = Array(bytes[...end])
        guard bytes[(end + 1)...].elementsEqual("sha256 \(text.sha256)\n".utf8) else { throw .damagedObject(name, "its checksum is wrong") }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text))
        } catch {
            throw .damagedObject(name, "it is not what its name says, or of a newer Hearth")
        }
    }
}

extension FirestoreError {
    static func damagedObject(_ name: String, _ reason: String) -> FirestoreError {
        FirestoreError(.dataLoss, "the object of the archive is damaged: \(reason)", at: name)
    }
}
