// SPDX-License-Identifier: Apache-2.0

/// The names of regions, which become a part of host names.
enum S3Region {
    /// What AWS assumes, and what other makers accept.
    static let usual = "us-east-1"

    static func isValid(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
