// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics

/// The documents that a decision is explained on: those that were read for it, before and after the writes of a commit.
final class DecisionState: RulesState {
    typealias Sample = [DocumentKey: Document?]

    private let sample: Sample
    private let writes: Set<DocumentKey>
    private let written: Result<[DocumentKey: Document?], FirestoreError>
    /// A document that was asked for and has to be read first.
    private(set) var missing: DocumentKey?

    init(_ sample: Sample, _ writes: [Write], at time: TimestampValue, in database: DatabaseID) {
        self.sample = sample
        self.writes = Set(writes.map(\.key))
        written = Result { () throws(FirestoreError) in
            try WriteApplication.documents(after: writes, of: sample.compactMapValues { $0 }, at: time, in: database)
        }
    }

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let document = sample[key] else {
            missing = key
            throw FirestoreError(.internal, "a document that a condition reads is not known yet", at: key.path)
        }
        return document
    }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard writes.contains(key) else { return try before(key) }
        return try written.get()[key] ?? nil
    }
}
