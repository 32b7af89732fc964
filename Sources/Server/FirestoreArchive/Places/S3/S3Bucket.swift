// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A bucket, and the beginning of the names of an archive's objects in it.
package struct S3Bucket: Sendable, Hashable {
    package let name: String
    /// Empty, or a name of segments that ends with a slash.
    package let prefix: String

    /// - Parameter prefix: Without a slash at its end; empty if the bucket is for one archive alone.
    package init(_ name: String, prefix: String = "") throws(FirestoreError) {
        let isName = (3...63).contains(name.utf8.count) && !name.contains("..") && name.utf8.allSatisfy(Self.mayContain)
        guard isName, name.first != ".", name.first != "-" else {
            throw .invalidArgument(
                "\"\(ArchiveName.printable(name))\" is not the name of a bucket: 3 to 63 letters, digits, hyphens and dots are expected, "
                    + "as in s3://BUCKET/PREFIX")
        }
        guard prefix.isEmpty || ArchiveName.isValid(prefix) && prefix.utf8.count <= Self.maximumPrefixBytes else {
            throw .invalidArgument(
                "\"\(ArchiveName.printable(prefix))\" cannot be the prefix of an archive: up to \(Self.maximumPrefixBytes) bytes in "
                    + "segments between slashes are expected, as in s3://BUCKET/servers/one")
        }
        self.name = name
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
    }

    private static let maximumPrefixBytes = 200

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ".-_".utf8.contains(byte)
        }
    }
}
