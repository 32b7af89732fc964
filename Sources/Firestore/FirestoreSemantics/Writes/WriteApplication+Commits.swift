// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension WriteApplication {
    /// What all writes of a commit make of the documents that they name; nil for those that do not exist afterwards. Throws the error of
    /// the first write that cannot be applied.
    package static func documents(
        after writes: [Write], of known: [DocumentKey: Document], at time: TimestampValue, in database: DatabaseID
    ) throws(FirestoreError) -> [DocumentKey: Document?] {
        let times = CommitTimes(commitTime: DocumentVersion(microseconds: time.microsecondsSince1970), requestTime: time)
        var after: [DocumentKey: Document?] = [:]
        for write in writes {
            let document = after[write.key] ?? known[write.key]
            after.updateValue(try apply(write, to: document, at: times, in: database).document, forKey: write.key)
        }
        return after
    }
}
