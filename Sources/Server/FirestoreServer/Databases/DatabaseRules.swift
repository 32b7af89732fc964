// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// The rules for database names (DM-2), and the names of their files.
package enum DatabaseRules {
    /// Percent-encoded, a project id becomes a file name of at most three times its length.
    package static let projectBytes = 80

    package static func check(_ database: DatabaseID) throws(FirestoreError) {
        let project = database.projectID.utf8
        guard !project.isEmpty, project.count <= projectBytes, !project.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument(
                "a project id must have 1 to \(projectBytes) bytes and no slash", at: "projects/\(database.projectID)")
        }
        guard isDefault(database.databaseID) || isWellFormed(database.databaseID) else {
            throw .invalidArgument(
                "a database id is \(DatabaseID.defaultDatabase), or 4 to 63 lower-case letters, digits and hyphens "
                    + "that begin with a letter, do not end with a hyphen and are not a UUID",
                at: "projects/\(database.projectID)/databases/\(database.databaseID)")
        }
    }

    /// The database's location, relative to the data directory. Letters, digits, hyphens and underscores are preserved, everything else is
    /// percent-encoded, so that no name leads out of the directory. Database ids do not begin with an underscore, so `_default` is free
    /// for `(default)`.
    package static func relativePath(of database: DatabaseID) -> String {
        let file = isDefault(database.databaseID) ? "_default" : encoded(database.databaseID)
        return encoded(database.projectID) + "/" + file + ".sqlite"
    }

    /// The database of a file in a project's directory; nil for other files.
    package static func databaseID(ofFile name: String) -> String? {
        guard name.hasSuffix(".sqlite") else { return nil }
        let stem = name.dropLast(".sqlite".count)
        if stem == "_default" { return DatabaseID.defaultDatabase }
        guard let id = PercentEncoding.decode(stem), isWellFormed(id) else { return nil }
        return id
    }

    private static func isDefault(_ id: String) -> Bool { equalUTF8(id, DatabaseID.defaultDatabase) }

    private static func isWellFormed(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        guard (4...63).contains(bytes.count), isLetter(bytes[0]), bytes[bytes.count - 1] != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") } && !isUUID(bytes)
    }

    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        let hyphens: Set<Int> = [8, 13, 18, 23]
        return bytes.count == 36
            && bytes.enumerated().allSatisfy { index, byte in
                hyphens.contains(index)
                    ? byte == UInt8(ascii: "-")
                    : isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func encoded(_ id: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in id.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isLetter(byte) || isUpper || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
