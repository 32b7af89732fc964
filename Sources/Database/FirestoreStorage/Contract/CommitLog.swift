// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The commits of a database that several processes write, in their order.
package protocol CommitLog: AnyObject, Sendable {
    /// The time of the last commit. One round trip for all callers that ask at the same time.
    func lastCommit() async throws(FirestoreError) -> DocumentVersion

    /// Commits behind a moment, in order and whole: the oldest, up to about `limit` changes. With a limit of 0 none, and `end` is the last
    /// commit. Not for the cooperative pool.
    ///
    /// Fails with `outOfRange` if the log does not reach back to that moment.
    func commits(after time: DocumentVersion, limit: Int) throws(FirestoreError) -> LogStretch

    /// Calls `wake` when there may be something new, and `ended` once, when the history of the database was cut behind what this process
    /// has seen: nothing that was read before may be used any more.
    ///
    /// `wake` is a hint, never a promise. The handle ends the calls.
    func follow(
        _ wake: @escaping @Sendable () -> Void, ended: @escaping @Sendable (FirestoreError) -> Void
    ) -> any FollowHandle
}

/// Ends the calls that it was returned for.
package protocol FollowHandle: AnyObject, Sendable {
    func stop()
}

/// The commits of a stretch of the log.
package struct LogStretch: Sendable {
    package let commits: [CommittedChanges]
    /// Everything up to this time is in `commits`, or was before; it may be later than the last of them.
    package let end: DocumentVersion
    /// Whether nothing later was committed when this was read.
    package let isLast: Bool

    package init(commits: [CommittedChanges], end: DocumentVersion, isLast: Bool) {
        self.commits = commits
        self.end = end
        self.isLast = isLast
    }
}
