// SPDX-License-Identifier: Apache-2.0

/// A piece of a file in an archive: one object.
package struct ArchivePart: Sendable, Codable, Hashable {
    /// Of the object, compressed.
    let bytes: Int
    let sha256: String

    /// Parts whose sizes can be added.
    private static let (mostBytes, mostParts) = (1 << 40, 1 << 20)

    static func areValid(_ parts: [ArchivePart]) -> Bool {
        parts.count <= mostParts && parts.allSatisfy { (0...mostBytes).contains($0.bytes) }
    }
}
