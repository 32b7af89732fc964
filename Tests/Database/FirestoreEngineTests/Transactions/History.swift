// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

@testable import FirestoreEngine
import TestSupport

/// What transactions read and wrote, and whether one could have followed the other.
final class History: Sendable {
    enum Read: Sendable {
        case document(DocumentKey, Document?)
        case query(StructuredQuery, [Document])
    }

    struct Commit: Sendable {
        /// When it took place; for one that only read, the last commit it saw.
        let time: DocumentVersion
        let isWriting: Bool
        let reads: [Read]
        /// nil: deleted.
        let writes: [DocumentKey: FieldBytes?]
    }

    struct Summary: CustomStringConvertible {
        var committed = 0
        var aborted = 0
        var blind = 0
        var violations: [String] = []
        var description: String {
            "\(committed) committed (\(blind) blind writes), \(aborted) aborted, \(violations.count) violations"
        }
    }

    private struct State {
        var commits: [Commit] = []
        var summary = Summary()
    }

    private let state = Mutex(State())

    func add(_ commit: Commit) {
        state.withLock {
            $0.commits.append(commit)
            $0.summary.committed += 1
        }
    }

    func countAborted() { state.withLock { $0.summary.aborted += 1 } }
    func countBlind() { state.withLock { $0.summary.blind += 1 } }

    /// A first state, as a separate commit.
    func fill(_ engine: Engine) async throws {
        let writes = (0..<6).flatMap { number in
            ["c/\(number)", "d/\(number)"].map { Write.set($0, ("n", .integer(Int64(number)))) }
        }
        let time = try await engine.commit(writes, context: .embedded).commitTime
        add(Commit(time: time, isWriting: true, reads: [], writes: Self.outcome(writes)))
    }

    static func outcome(_ writes: [Write]) -> [DocumentKey: FieldBytes?] {
        var outcome: [DocumentKey: FieldBytes?] = [:]
        for write in writes {
            if case .set(let fields) = write.operation {
                outcome.updateValue(fields, forKey: write.key)
            } else {
                outcome.updateValue(nil, forKey: write.key)
            }
        }
        return outcome
    }

    /// Replays everything in commit order on a dictionary: whatever a transaction read must be what is there when its
    /// turn comes.
    func check() -> Summary {
        var (commits, summary) = state.withLock { ($0.commits, $0.summary) }
        // Those that only read come behind the commit they saw last.
        commits.sort { ($0.time, $0.isWriting ? 0 : 1) < ($1.time, $1.isWriting ? 0 : 1) }
        var model: [DocumentKey: Document] = [:]
        var last = DocumentVersion.none
        for commit in commits {
            if commit.isWriting {
                if commit.time <= last { summary.violations.append("two commits at \(commit.time.microseconds)") }
                last = commit.time
            }
            for read in commit.reads {
                if let violation = Self.check(read, against: model) {
                    summary.violations.append("at \(commit.time.microseconds): \(violation)")
                }
            }
            for (key, fields) in commit.writes { Self.apply(fields, to: key, at: commit.time, in: &model) }
        }
        return summary
    }

    private static func check(_ read: Read, against model: [DocumentKey: Document]) -> String? {
        switch read {
        case .document(let key, let document):
            return model[key] == document ? nil : "\(key) was not what was read"
        case .query(let query, let result):
            // By hand: filter, sort, cut.
            let matcher = QueryMatcher(query, database: testDatabase)
            let ordering = DocumentOrdering(query.effectiveOrders)
            let matching = model.values.filter { matcher.matches($0) }.sorted { ordering.compare($0, $1) < 0 }
            let rest = matching.dropFirst(query.offset)
            return rest.prefix(query.limit ?? rest.count).elementsEqual(result) ? nil : "\(query) had another result"
        }
    }

    private static func apply(
        _ fields: FieldBytes?, to key: DocumentKey, at time: DocumentVersion, in model: inout [DocumentKey: Document]
    ) {
        guard let fields else { return model[key] = nil }
        let old = model[key]
        // A write without effect is not a change (WR-22).
        if old?.fields == fields { return }
        model[key] = Document(key: key, createTime: old?.createTime ?? time, updateTime: time, fields: fields)
    }
}
