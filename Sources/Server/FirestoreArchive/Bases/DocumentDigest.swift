// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
package import FirestoreStorage

/// The content of a database as one number: equal documents with equal times have equal digests, in any order and under any indexes.
///
/// The sum of a hash of each document, so that a commit changes it by what it takes away and adds: whether a journal leads from one copy
/// to the next is found without building a database.
package struct DocumentDigest: Sendable, Hashable {
    package private(set) var sum: UInt128
    /// Of the history of the database. The sum of one database says nothing about another.
    private let key: UInt64

    package init(history: UInt64, sum: UInt128 = 0) {
        key = history
        self.sum = sum
    }

    package mutating func add(_ document: Document) { sum &+= term(document) }
    package mutating func remove(_ document: Document) { sum &-= term(document) }

    package mutating func add(_ other: DocumentDigest) { sum &+= other.sum }

    package mutating func apply(_ commit: CommittedChanges) {
        for change in commit.changes {
            if let old = change.old { remove(old) }
            if let new = change.new { add(new) }
        }
    }

    private func term(_ document: Document) -> UInt128 {
        var head: [UInt8] = []
        head.reserveCapacity(100)
        withUnsafeBytes(of: key.littleEndian) { head.append(contentsOf: $0) }
        head.appendLengthDelimited(document.key.path.utf8)
        for time in [document.createTime, document.updateTime] {
            withUnsafeBytes(of: time.microseconds.littleEndian) { head.append(contentsOf: $0) }
        }
        var hash = SHA256()
        hash.update(data: head)
        document.fields.bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { UInt128(littleEndian: $0.loadUnaligned(as: UInt128.self)) }
    }

    package var text: String { String(sum, radix: 16) }
}
