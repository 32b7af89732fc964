// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What can be the name of an object, in every kind of archive.
///
/// Names that one kind of place could not store, or could store only in another spelling, are refused by all of them: an archive can be
/// copied from a directory to a bucket and back.
package enum ArchiveName {
    /// S3 allows 1,024 bytes with the prefix of the archive.
    package static let maximumBytes = 800
    /// File systems allow 255, and a temporary name is longer than the final one.
    package static let maximumSegmentBytes = 200

    /// The segments of a name. Throws `invalidArgument` if it is not one.
    @discardableResult
    package static func segments(of name: String) throws(FirestoreError) -> [String] {
        guard let segments = valid(name) else {
            throw .invalidArgument(
                "\"\(printable(name))\" is not a name of an object: segments between slashes must have 1 to \(maximumSegmentBytes) bytes, "
                    + "must not begin with a dot or contain control characters, and all of them at most \(maximumBytes) bytes")
        }
        return segments
    }

    package static func isValid(_ name: String) -> Bool { valid(name) != nil }

    private static func valid(_ name: String) -> [String]? {
        guard name.utf8.count <= maximumBytes else { return nil }
        let segments = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // A name that begins with a dot could be `..`, or one of the temporary files of a directory.
        let areValid = segments.allSatisfy { segment in
            (1...maximumSegmentBytes).contains(segment.count) && segment.first != UInt8(ascii: ".")
                && segment.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        return areValid ? segments.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// Whether one name is before another, by their UTF-8 bytes.
    package static func precedes(_ first: String, _ second: String) -> Bool { first.utf8.lexicographicallyPrecedes(second.utf8) }

    /// A text from a stranger, restricted to one printable line.
    static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
