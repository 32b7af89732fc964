// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// A value of `--bucket`: the folder that a bucket is on this machine.
struct MappedBucket: Sendable, Equatable {
    let name: String
    let folder: String

    init(_ text: String) throws {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex, text.index(after: equals) != text.endIndex else {
            throw ValidationError("--bucket \(text): a name and a folder are expected, as in --bucket backups=/srv/backups")
        }
        name = String(text[..<equals])
        folder = String(text[text.index(after: equals)...])
        guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-_.".utf8.contains($0) }) else {
            throw ValidationError("--bucket \(text): the name of a bucket has lower-case letters, digits, hyphens, underscores and dots")
        }
    }

    static func all(_ texts: [String]) throws -> [MappedBucket] {
        let buckets = try texts.map(MappedBucket.init)
        for (index, bucket) in buckets.enumerated() where buckets[..<index].contains(where: { equalUTF8($0.name, bucket.name) }) {
            throw ValidationError("--bucket \(bucket.name) is given twice; give each bucket one folder")
        }
        return buckets
    }
}
