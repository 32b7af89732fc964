// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// The incrementally maintained view equals a fresh query after every one of 100,000 random writes (LS-43 … LS-50).
@Suite struct IncrementalViewTests {
    private static let cases = TestScale.pick(quick: 3, full: 40)
    private static let writesPerCase = 2_500
    private static let queriesPerCase = 6

    private func commits(_ random: inout RandomWatching, writes: Int) -> [[WatchOperation]] {
        var known: Set<DocumentKey> = []
        var commits: [[WatchOperation]] = []
        var count = 0
        while count < writes {
            let commit = random.commit(on: known.sorted())
            guard !commit.isEmpty else { continue }
            commits.append(commit)
            count += commit.count
            for operation in commit {
                if case .delete(let key) = operation { known.remove(key) } else { known.insert(operation.key) }
            }
        }
        return commits
    }

    private func check(seed: Int, writes: Int, burst: Int, lateEvery: Int) async throws {
        var random = RandomWatching(seed: UInt64(seed))
        let queries = (0..<Self.queriesPerCase).map { _ in random.query() }
        let commits = commits(&random, writes: writes)
        guard let failure = try await WatchReplay(queries: queries).run(commits, burst: burst, lateEvery: lateEvery) else { return }
        let small = try await WatchReplay.shrunk(failure, queries, commits)
        Issue.record("seed \(seed), commit \(failure.commit): \(small.description)")
    }

    @Test(arguments: 0..<cases)
    func `a view equals a fresh query after every random commit`(seed: Int) async throws {
        try await check(seed: seed, writes: Self.writesPerCase, burst: 1, lateEvery: .max)
    }

    @Test(arguments: 1_000..<TestScale.pick(quick: 1_002, full: 1_008))
    func `a view equals a fresh query after bursts of commits, also for late watches`(seed: Int) async throws {
        try await check(seed: seed, writes: 2_000, burst: 7, lateEvery: 50)
    }

    @Test func `a wrong view is found, and the case shrinks to a minimal one`() async throws {
        var random = RandomWatching(seed: 5)
        let queries = [StructuredQuery.collection("c")]
        let commits = commits(&random, writes: 300)
        let found = try await WatchReplay(queries: queries, isForgetful: true).run(commits)
        let failure = try #require(found)
        let small = try await WatchReplay.shrunk(failure, queries, commits, isForgetful: true)
        // A document comes, and goes.
        #expect(small.commits.count == 2 && small.commits.allSatisfy { $0.count == 1 }, "\(small.description)")
    }
}
