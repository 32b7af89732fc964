// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics

/// The documents of a case, before and after its writes.
final class RulesCaseState: RulesState {
    private let documents: [DocumentKey: Document]
    /// The error is that of the first write that cannot be applied.
    private let written: Result<[DocumentKey: Document?], FirestoreError>
    /// Why the writes cannot be applied, once the rules have looked at their outcome.
    private(set) var failure: FirestoreError?

    init(_ documents: [Document], _ writes: [Write], at time: TimestampValue, in database: DatabaseID) {
        // Of documents with the same path the last one is used.
        let known = Dictionary(documents.map { ($0.key, $0) }) { $1 }
        self.documents = known
        written = Result { () throws(FirestoreError) in
            try WriteApplication.documents(after: writes, of: known, at: time, in: database)
        }
    }

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { documents[key] }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        do throws(FirestoreError) {
            if let changed = try written.get()[key] { return changed }
        } catch {
            failure = error
            throw error
        }
        return documents[key]
    }
}
