// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The changes that the writes of a commit make to one document. They are judged together, by their effect (SR-87).
struct DocumentChange {
    let key: DocumentKey
    private(set) var writes: [Write]

    /// The changes of a commit, in the order of their first writes.
    static func all(of writes: [Write]) -> [DocumentChange] {
        if writes.count == 1 { return [DocumentChange(key: writes[0].key, writes: writes)] }
        var positions: [DocumentKey: Int] = [:]
        var changes: [DocumentChange] = []
        for write in writes {
            if let position = positions[write.key] {
                changes[position].writes.append(write)
            } else {
                positions[write.key] = changes.count
                changes.append(DocumentChange(key: write.key, writes: [write]))
            }
        }
        return changes
    }

    /// Whether the document is only looked at.
    var isVerification: Bool {
        writes.allSatisfy { write in
            if case .verify = write.operation { true } else { false }
        }
    }

    /// A precondition says what the caller means to do, whether or not it holds (SR-20).
    func method(exists: Bool, remains: Bool) -> RulesMethod {
        guard remains else { return .delete }
        switch writes[0].precondition {
        case .exists(false)?: return .create
        case .exists(true)?, .updateTime?: return .update
        case nil: return exists ? .update : .create
        }
    }

    /// The fields that the document would have if it did not exist and the commit could be applied; nil if it would be deleted.
    var intended: FieldBytes? {
        switch writes.last?.operation {
        case .set(let fields)?, .patch(let fields, _)?: fields
        default: nil
        }
    }
}

extension FirestoreError {
    /// Whether it says that a write cannot be applied, and not that the state cannot be read.
    var isOfWrite: Bool {
        switch code {
        case .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .outOfRange: true
        default: false
        }
    }
}
