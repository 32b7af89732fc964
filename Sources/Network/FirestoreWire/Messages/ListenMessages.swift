// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A message of the Listen stream to the server (LS-1 … LS-7).
package struct ListenRequest: Sendable {
    package enum Change: Sendable {
        case add(ListenTargetRequest)
        case remove(targetID: Int32)
    }

    package var database: DatabaseID
    package var change: Change
    package var labels: [(name: String, value: String)]

    package init(database: DatabaseID, change: Change, labels: [(name: String, value: String)] = []) {
        self.database = database
        self.change = change
        self.labels = labels
    }
}

package struct ListenTargetRequest: Sendable {
    package enum Target: Sendable, Hashable {
        case documents([DocumentKey])
        case query(StructuredQuery)
    }

    package enum Start: Sendable, Hashable {
        case beginning
        case resumeToken(ByteSlice)
        case readTime(TimestampValue)
    }

    /// The target, or the error in it, which affects only the target and not the stream (LS-9).
    package var target: Result<Target, FirestoreError>
    /// 0 if the server chooses.
    package var targetID: Int32
    package var start: Start
    package var once: Bool
    package var expectedCount: Int?

    package init(
        target: Result<Target, FirestoreError>, targetID: Int32, start: Start = .beginning, once: Bool = false,
        expectedCount: Int? = nil
    ) {
        self.target = target
        self.targetID = targetID
        self.start = start
        self.once = once
        self.expectedCount = expectedCount
    }
}

/// A message of the Listen stream from the server (LS-10 … LS-30).
package enum ListenResponse: Sendable {
    case targetChange(TargetChange)
    case documentChange(DatabaseID, Document, targets: [Int32], removedFrom: [Int32])
    case documentDelete(DatabaseID, DocumentKey, removedFrom: [Int32], readTime: DocumentVersion?)
    case documentRemove(DatabaseID, DocumentKey, removedFrom: [Int32], readTime: DocumentVersion?)
    case filter(ExistenceFilter)
}

package struct TargetChange: Sendable {
    package enum Kind: Int, Sendable {
        case noChange = 0, add, remove, current, reset
    }

    package var kind: Kind
    /// Empty for all (LS-10).
    package var targets: [Int32]
    package var cause: FirestoreError?
    package var resumeToken: ByteSlice
    package var readTime: DocumentVersion?

    package init(
        _ kind: Kind, targets: [Int32] = [], cause: FirestoreError? = nil, resumeToken: ByteSlice = .empty,
        readTime: DocumentVersion? = nil
    ) {
        self.kind = kind
        self.targets = targets
        self.cause = cause
        self.resumeToken = resumeToken
        self.readTime = readTime
    }
}

/// How many documents match a target, and probably which ones (LS-25).
package struct ExistenceFilter: Sendable {
    package var target: Int32
    package var count: Int
    package var names: BloomFilter?

    package init(target: Int32, count: Int, names: BloomFilter?) {
        self.target = target
        self.count = count
        self.names = names
    }
}

/// A set of names that may contain more than were added (LS-26 … LS-28). Hashing is in `BloomFilter+Names.swift`.
package struct BloomFilter: Sendable, Hashable {
    package var bits: [UInt8]
    /// Unused high bits of the last byte, 0 … 7.
    package var padding: Int
    package var hashCount: Int

    package init(bits: [UInt8], padding: Int, hashCount: Int) {
        self.bits = bits
        self.padding = padding
        self.hashCount = hashCount
    }
}
