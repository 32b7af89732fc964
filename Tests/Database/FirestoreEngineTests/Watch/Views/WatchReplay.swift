// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import TestSupport
import Testing

@testable import FirestoreEngine

/// A sink that follows a target as a listener does: folds batches into a `ResultView`, and maintains its own list by applying
/// the changes of every snapshot, index by index.
final class FollowingSink: WatchSink {
    private struct State {
        var view: ResultView
        var list: [Document] = []
        var snapshots = 0
        var error: String?
    }

    private let state: Mutex<State>
    /// What a broken view would do; to see that it is found out.
    private let isForgetful: Bool

    init(_ query: StructuredQuery, isForgetful: Bool = false) {
        state = Mutex(State(view: ResultView(ordering: DocumentOrdering(query.effectiveOrders))))
        self.isForgetful = isForgetful
    }

    func receive(_ batch: WatchBatch) {
        var batch = batch
        if isForgetful, !batch.isReset {
            batch.changes = batch.changes.filter { if case .remove = $0 { false } else { true } }
        }
        state.withLock { $0.view.apply(batch) }
    }

    func fail(_ error: FirestoreError) { state.withLock { $0.error = "failed: \(error)" } }

    var hasFirst: Bool { state.withLock { $0.snapshots > 0 || $0.view.hasNews || $0.error != nil } }

    /// Takes a snapshot; what is wrong with it or with the list, compared with what the query answers now.
    func difference(from expected: [Document]) -> String? {
        state.withLock { state in
            if let error = state.error { return error }
            if let snapshot = state.view.nextSnapshot() {
                state.snapshots += 1
                for change in snapshot.changes {
                    if let index = change.oldIndex {
                        guard index < state.list.count, state.list.remove(at: index).key == change.document.key else {
                            return "change \(change.kind) of \(change.document.key) does not fit"
                        }
                    }
                    if let index = change.newIndex {
                        guard index <= state.list.count else { return "change to \(index) does not fit" }
                        state.list.insert(change.document, at: index)
                    }
                }
                if snapshot.documents.count != state.list.count { return "changes and documents disagree" }
            }
            // A document changed and changed back is reported as unchanged, but has another update time.
            if state.list.elementsEqual(expected, by: { $0.key == $1.key && $0.fields == $1.fields && $0.createTime == $1.createTime }) {
                return nil
            }
            return "shows \(state.list.map(\.key.path)), the query answers \(expected.map(\.key.path))"
        }
    }
}

/// Applies commits to a real engine whose queries are watched, and compares after each.
struct WatchReplay {
    struct Failure: Error, CustomStringConvertible {
        let commit: Int
        let query: Int
        let description: String
    }

    let queries: [StructuredQuery]
    var isForgetful = false

    /// nil if every view equals a fresh run of its query after every commit.
    ///
    /// With `burst` above one, this many commits are in flight simultaneously, and views are compared after each burst. `lateEvery`:
    /// after this many commits a new watch joins each existing one, and is compared from then on.
    func run(_ commits: [[WatchOperation]], burst: Int = 1, lateEvery: Int = .max) async throws -> Failure? {
        let engine = try Engine.memory()
        var sinks = try await watch(engine)
        for start in stride(from: 0, to: commits.count, by: burst) {
            let end = min(start + burst, commits.count)
            for commit in commits[start..<end - 1] {
                engine.submit(commit.map(\.write), context: .embedded) { _ in }
            }
            _ = try await engine.commit(commits[end - 1].map(\.write), context: .embedded)
            await engine.settle()
            if end / lateEvery != start / lateEvery { sinks = try await watch(engine) }
            if let failure = try compare(engine, sinks, commit: end - 1) { return failure }
        }
        await engine.shutdown()
        return nil
    }

    private func watch(_ engine: Engine) async throws -> [FollowingSink] {
        let sinks = queries.map { FollowingSink($0, isForgetful: isForgetful) }
        for (query, sink) in zip(queries, sinks) { _ = engine.watch(.query(query), context: .embedded, sink: sink) }
        await eventually("first states") { sinks.allSatisfy(\.hasFirst) }
        return sinks
    }

    private func compare(_ engine: Engine, _ sinks: [FollowingSink], commit: Int) throws -> Failure? {
        let answers = try engine.core.store.read { (view) throws(FirestoreError) in
            var answers: [[Document]] = []
            for query in queries { answers.append(try QueryExecutor.run(query, over: view, database: testDatabase)) }
            return answers
        }
        for (number, (sink, expected)) in zip(sinks, answers).enumerated() {
            if let difference = sink.difference(from: expected) {
                return Failure(commit: commit, query: number, description: difference)
            }
        }
        return nil
    }

    /// The smallest case found that still fails, readable.
    static func shrunk(
        _ failure: Failure, _ queries: [StructuredQuery], _ commits: [[WatchOperation]], isForgetful: Bool = false
    ) async throws -> (commits: [[WatchOperation]], description: String) {
        let replay = WatchReplay(queries: [queries[failure.query]], isForgetful: isForgetful)
        var smallest = Array(commits.prefix(failure.commit + 1))
        guard try await replay.run(smallest) != nil else {
            return (smallest, "\(failure); not seen again with this query alone: \(queries[failure.query])")
        }
        var step = max(1, smallest.count / 2)
        var tries = 0
        while tries < 3_000 {
            var hasShrunk = false
            var start = 0
            while start < smallest.count, tries < 3_000 {
                tries += 1
                let fewer = Array(smallest[..<start] + smallest[min(start + step, smallest.count)...])
                if try await replay.run(fewer) != nil {
                    smallest = fewer
                    hasShrunk = true
                } else {
                    start += step
                }
            }
            if step == 1, !hasShrunk { break }
            step = max(1, step / 2)
        }
        for commit in smallest.indices {
            var index = 0
            while smallest[commit].count > 1, index < smallest[commit].count {
                var fewer = smallest
                fewer[commit].remove(at: index)
                if try await replay.run(fewer) != nil { smallest = fewer } else { index += 1 }
            }
        }
        let what = try await replay.run(smallest)?.description ?? failure.description
        let lines = smallest.map { $0.map(\.description).joined(separator: ", ") }.joined(separator: "\n  ")
        return (smallest, "\(what)\nquery: \(queries[failure.query])\n  \(lines)")
    }
}
