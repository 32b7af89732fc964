// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension WriteApplication {
    /// The documents that the writes of a commit name, after all of them; nil for those that do not exist afterwards. Throws the error of
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
