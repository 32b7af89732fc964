// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// The commits of a database that only this process writes: the last ones from memory, earlier ones from the change log.
final class LocalCommitLog: CommitLog {
    /// A stretch of the store takes about this much memory, and one commit more.
    private static let stretchBytes = 4 << 20

    private let store: SQLiteStore
    private let tail: CommitTail

    init(_ store: SQLiteStore, _ tail: CommitTail) {
        self.store = store
        self.tail = tail
    }

    func lastCommit() async throws(FirestoreError) -> DocumentVersion {
        try await store.read { (snapshot: any StoreSnapshot) in snapshot.readTime }
    }

    func commits(after time: DocumentVersion, limit: Int) throws(FirestoreError) -> LogStretch {
        guard limit > 0 else {
            return LogStretch(commits: [], end: try store.read { (view: any StoreSnapshot) in view.readTime }, isLast: true)
        }
        if let recent = tail.commits(after: time, limit: limit, bytes: Self.stretchBytes) { return recent }
        return try store.commits(after: time, limit: limit, bytes: Self.stretchBytes)
    }

    /// The history of a file that this process has open does not end.
    func follow(
        _ wake: @escaping @Sendable () -> Void, ended: @escaping @Sendable (FirestoreError) -> Void
    ) -> any FollowHandle {
        let tail = tail
        let number = tail.add(wake)
        return LocalFollowHandle { tail.remove(number) }
    }
}

private final class LocalFollowHandle: FollowHandle {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func stop() { body() }
}
