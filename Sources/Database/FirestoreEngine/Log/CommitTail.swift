// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The last commits of this process in memory, for followers of the log that are nearly at its end: the log does not have to be read again
/// from the store.
///
/// Empty unless the log is followed, and bounded: a follower that is further behind reads the store.
final class CommitTail: Sendable {
    private struct Group {
        /// The last commit before the group.
        let previous: DocumentVersion
        var commits: [CommittedChanges]
        var end: DocumentVersion
        let bytes: Int
    }

    private struct State {
        var groups: [Group] = []
        /// Groups before this one have been dropped.
        var first = 0
        var bytes = 0
        var followers: [Int: @Sendable () -> Void] = [:]
        var lastFollower = 0
    }

    private static let maximumBytes = 6 << 20
    private static let maximumGroups = 4_096
    private let state = Mutex(State())

    // MARK: Followers

    func add(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastFollower += 1
            state.followers[state.lastFollower] = wake
            return state.lastFollower
        }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.followers[number] = nil
            guard state.followers.isEmpty else { return }
            (state.groups, state.first, state.bytes) = ([], 0, 0)
        }
    }

    // MARK: Commits

    /// About the memory of the commits that are kept.
    var heldBytes: Int { state.withLock { $0.groups.reduce(0) { $0 + $1.commits.reduce(0) { $0 + $1.bytes } } } }

    /// Takes a durable group of commits. Called by the committer, in order.
    func append(_ commits: [CommittedChanges], upTo time: DocumentVersion, after previous: DocumentVersion) {
        let followers: [@Sendable () -> Void] = state.withLock { state in
            guard !state.followers.isEmpty else { return [] }
            guard !commits.isEmpty else {
                // Commits without effect have times, too.
                if let last = state.groups.indices.last, state.groups[last].end == previous { state.groups[last].end = time }
                return []
            }
            let bytes = commits.reduce(0) { $0 + $1.bytes }
            state.groups.append(Group(previous: previous, commits: commits, end: time, bytes: bytes))
            state.bytes += bytes
            Self.shorten(&state)
            return Array(state.followers.values)
        }
        for wake in followers { wake() }
    }

    private static func shorten(_ state: inout State) {
        while state.bytes > maximumBytes || state.groups.count - state.first > maximumGroups, state.first < state.groups.count {
            state.bytes -= state.groups[state.first].bytes
            // Removing the group itself would move all others.
            state.groups[state.first].commits = []
            state.first += 1
        }
        guard state.first > maximumGroups else { return }
        state.groups.removeFirst(state.first)
        state.first = 0
    }

    /// Commits behind a moment; nil if they do not follow it directly in memory.
    func commits(after time: DocumentVersion, limit: Int, bytes: Int) -> LogStretch? {
        state.withLock { state in
            let groups = state.groups[state.first...]
            let start = groups.lastIndex { $0.end <= time }.map { $0 + 1 } ?? groups.startIndex
            // Before the first group others may have been.
            guard !groups.isEmpty, start == groups.endIndex || groups[start].previous <= time else { return nil }
            var (found, end, changes, size) = ([CommittedChanges](), time, 0, 0)
            for group in groups[start...] {
                if !found.isEmpty, changes >= limit || size >= bytes { return LogStretch(commits: found, end: end, isLast: false) }
                // A group that is not the direct continuation has others before it that the log has.
                guard group.previous <= end || found.isEmpty else { return LogStretch(commits: found, end: end, isLast: false) }
                found += group.commits.filter { $0.time > time }
                changes += group.commits.reduce(0) { $0 + $1.changes.count }
                size += group.bytes
                end = group.end
            }
            return LogStretch(commits: found, end: end, isLast: true)
        }
    }
}

extension CommittedChanges {
    /// About the size of the states in memory, with their keys.
    var bytes: Int {
        changes.reduce(0) { $0 + 600 + ($1.old?.fields.bytes.count ?? 0) + ($1.new?.fields.bytes.count ?? 0) }
    }
}
