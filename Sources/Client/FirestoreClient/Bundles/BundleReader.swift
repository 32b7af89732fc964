// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Splits a bundle into its elements as its bytes arrive: `<decimal length><JSON>`, one after the other (LO-12).
package struct BundleReader {
    /// No element is longer: a document of a megabyte with every byte escaped is shorter.
    static let longestElement = 16 * 1_024 * 1_024

    private var bytes: [UInt8] = []
    private var position = 0

    package init() {}

    package mutating func append(_ chunk: some Collection<UInt8>) {
        bytes.removeFirst(position)
        position = 0
        bytes += chunk
    }

    /// The next element and its length, including the prefix; nil if the bytes so far do not contain all of it.
    package mutating func next() throws(FirestoreError) -> (element: JSON, length: Int)? {
        var length = 0
        var start = position
        while start < bytes.count, bytes[start] != UInt8(ascii: "{") {
            let digit = Int(bytes[start]) - Int(UInt8(ascii: "0"))
            guard (0...9).contains(digit) else {
                throw .invalidArgument("an element of a bundle must begin with its length in decimal digits")
            }
            length = length * 10 + digit
            guard length <= Self.longestElement else {
                throw .invalidArgument("an element of a bundle must not be longer than \(Self.longestElement) bytes")
            }
            start += 1
        }
        guard start < bytes.count else { return nil }
        guard start > position else { throw .invalidArgument("an element of a bundle must begin with its length") }
        let end = start + length
        guard end <= bytes.count else { return nil }
        let element = try JSON(bytes[start..<end])
        defer { position = end }
        return (element, end - position)
    }

    /// Whether the bytes so far end with a complete element.
    package var isAtEnd: Bool { position == bytes.count }
}
