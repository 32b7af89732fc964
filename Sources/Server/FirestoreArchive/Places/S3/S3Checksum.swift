// SPDX-License-Identifier: Apache-2.0
import Crypto
import HearthBase

/// The checksum that an object is stored with, and returned with if its server keeps checksums.
enum S3Checksum {
    static let header = "x-amz-checksum-sha256"

    static func value(of bytes: [UInt8]) -> String { Base64.encode(Array(SHA256.hash(data: bytes))) }

    /// Whether the value is one of an object that was uploaded in parts, which is a hash of hashes.
    static func isOfParts(_ value: String) -> Bool { value.contains("-") }
}
