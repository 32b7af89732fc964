// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Which documents, in which states, were counted: a hash of each. A document that has changed is counted once more.
package struct CountedDocuments: Sendable {
    /// Documents beyond so many are not remembered, and counted whenever they are read. (Eight bytes each in a schema file.)
    package static let limit = 50_000

    private var hashes: Set<UInt64> = []

    package init() {}

    /// Returns false for a document that was counted before.
    mutating func insert(_ id: String, _ fields: FieldBytes) -> Bool {
        var id = id
        let name = id.withUTF8 { TextHash.of(UnsafeRawBufferPointer($0)) }
        let hash = (name &* 0x9E37_79B9_7F4A_7C15) ^ fields.bytes.withUnsafeBytes { TextHash.of($0) }
        if hashes.contains(hash) { return false }
        if hashes.count < Self.limit { hashes.insert(hash) }
        return true
    }

    // MARK: In schema files

    /// Sorted, so that the same documents give the same text.
    var text: String {
        Base64.encode(hashes.sorted().flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * UInt64($0))) } })
    }

    /// nil if the text is not one that `text` has made.
    init?(_ text: String) {
        guard let bytes = Base64.decode(text), bytes.count % 8 == 0, bytes.count / 8 <= Self.limit else { return nil }
        for start in stride(from: 0, to: bytes.count, by: 8) {
            hashes.insert(bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
