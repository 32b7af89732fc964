// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreEngine

/// Which commits of a sequence are applied, answered again or rejected (decision 28).
struct SequenceTableTests {
    private let user = SequenceOwner(.user(id: "ada", claims: FieldMap()))
    private let other = SequenceOwner(.user(id: "bob", claims: FieldMap()))
    private let anonymous = SequenceOwner(.anonymous)

    private enum Answer: Equatable { case apply, again, lost, aborted, other }

    private func answer(_ table: SequenceTable, _ number: Int64, owner: SequenceOwner? = nil, now: Int64 = 0) -> Answer {
        switch table.decision("s", owner ?? user, number: number, now: now) {
        case .apply: .apply
        case .answerAgain: .again
        case .reject(let error): error.isSequenceLost ? .lost : error.code == .aborted ? .aborted : .other
        }
    }

    private func resumes(_ table: SequenceTable, after number: Int64, owner: SequenceOwner? = nil, now: Int64 = 0) -> Bool {
        let rejection = table.rejection("s", owner ?? user, resumingAfter: number, now: now)
        #expect(rejection?.isSequenceLost != false)
        return rejection == nil
    }

    /// Commits 1 to `last`, each confirming those up to `confirmed` of them.
    private func table(last: Int64, confirmed: Int64 = 0, _ limits: SequenceLimits = SequenceLimits()) -> SequenceTable {
        var table = SequenceTable(limits: limits)
        table.begin("s", user, size: 100, now: 0)
        for number in stride(from: 1, through: last, by: 1) {
            let dropped = table.superseded("s", confirmed: min(confirmed, number - 1), adding: 10)
            table.add("s", number: number, size: 10, now: 0)
            if let dropped { table.drop("s", dropped) }
        }
        return table
    }

    @Test func `the number of a commit decides`() {
        // The numbers 0 to 7, and after which numbers the stream can be resumed.
        let rows: [(last: Int64, confirmed: Int64, answers: [Answer], resumes: [Bool])] = [
            (0, 0, [.lost, .apply, .aborted, .aborted, .aborted, .aborted, .aborted, .aborted], [true, false, false]),
            (1, 0, [.lost, .again, .apply, .aborted, .aborted, .aborted, .aborted, .aborted], [true, true, false]),
            (5, 0, [.lost, .again, .again, .again, .again, .again, .apply, .aborted], [true, true, true, true, true, true, false]),
            (5, 3, [.lost, .lost, .lost, .lost, .again, .again, .apply, .aborted], [false, false, false, true, true, true, false]),
            // The last outcome is retained although it is confirmed.
            (5, 4, [.lost, .lost, .lost, .lost, .lost, .again, .apply, .aborted], [false, false, false, false, true, true, false]),
            // More than there are: a batch confirms at most the one before it.
            (5, 9, [.lost, .lost, .lost, .lost, .lost, .again, .apply, .aborted], [false, false, false, false, true, true, false]),
        ]
        for row in rows {
            let table = table(last: row.last, confirmed: row.confirmed)
            #expect((0...7).map { answer(table, $0) } == row.answers, "\(row)")
            #expect(row.resumes.indices.map { resumes(table, after: Int64($0)) } == row.resumes, "\(row)")
        }
    }

    @Test func `another caller, an unknown and an expired sequence are lost`() {
        let table = table(last: 3)
        let limit = table.limits.retention
        for owner in [other, anonymous, SequenceOwner(.administrator)] {
            #expect(answer(table, 4, owner: owner) == .lost && answer(table, 3, owner: owner) == .lost)
            #expect(!resumes(table, after: 3, owner: owner))
        }
        #expect(answer(table, 4, now: limit) == .apply && resumes(table, after: 2, now: limit))
        #expect(answer(table, 4, now: limit + 1) == .lost && !resumes(table, after: 2, now: limit + 1))
        #expect(table.expired(now: limit) == [] && table.expired(now: limit + 1) == ["s"])
        var empty = table
        empty.remove("s")
        #expect(answer(empty, 4) == .lost && !resumes(empty, after: 0))
        #expect(empty.bytes == 0 && empty.count == 0)
        // A user whose name looks like another owner's.
        #expect(SequenceOwner(.user(id: "anonymous", claims: FieldMap())) != anonymous)
    }

    @Test func `the number of recorded outcomes is bounded by that of unanswered batches`() {
        let table = table(last: 300)
        #expect(answer(table, 44) == .lost && answer(table, 45) == .again && answer(table, 300) == .again)
        #expect(!resumes(table, after: 43) && resumes(table, after: 44))
        #expect(table.bytes == 100 + 256 * 10)
    }

    @Test func `beyond the limit the least recently used sequences go first: of the same owner, else of the largest owner`() {
        var limits = SequenceLimits()
        limits.user = .init(sequences: 2, bytes: 500)
        limits.shared = .init(sequences: 3, bytes: 500)
        limits.total = .init(sequences: 5, bytes: 700)
        var table = SequenceTable(limits: limits)
        for (time, id) in ["a", "b"].enumerated() { table.begin(id, user, size: 10, now: Int64(time)) }
        for (time, id) in ["x", "y"].enumerated() { table.begin(id, anonymous, size: 10, now: Int64(time)) }
        #expect(table.surplus(of: user, keeping: "b") == nil)
        table.begin("c", user, size: 10, now: 9)
        #expect(table.surplus(of: user, keeping: "c") == "a")
        // Use makes it younger.
        table.add("a", number: 1, size: 10, now: 10)
        #expect(table.surplus(of: user, keeping: "c") == "b")
        #expect(table.surplus(of: user, keeping: "b") == "c")
        table.remove("b")
        #expect(table.surplus(of: user, keeping: "c") == nil)
        // By bytes.
        table.add("c", number: 1, size: 600, now: 11)
        #expect(table.surplus(of: user, keeping: "c") == "a")
        table.remove("a")
        #expect(table.surplus(of: user, keeping: "c") == nil)
        table.begin("z", anonymous, size: 90, now: 12)
        // Together too much: one of the owner that has the most.
        #expect(table.surplus(of: anonymous, keeping: "z") == "c" && table.surplus(of: user, keeping: "c") == "x")
        table.remove("c")
        #expect(table.surplus(of: anonymous, keeping: "z") == nil && table.bytes == 110)
    }

    @Test func `a stream that confirms nothing loses its own answers, and only those`() {
        let limits = SequenceLimits(outcomeBytes: 100)
        let table = table(last: 30, limits)
        #expect(table.bytes == 100 + 100)
        #expect(answer(table, 20) == .lost && answer(table, 21) == .again && answer(table, 31) == .apply)
        // An answer that is too long by itself stays until the next one.
        var long = table
        #expect(long.superseded("s", confirmed: 0, adding: 500) == 21..<31)
        long.drop("s", 21..<31)
        long.add("s", number: 31, size: 500, now: 0)
        #expect(answer(long, 31) == .again && long.superseded("s", confirmed: 0, adding: 10) == 31..<32)
        // Confirmed ones go first.
        #expect(table.superseded("s", confirmed: 25, adding: 50) == 21..<26)
        #expect(table.superseded("s", confirmed: 25, adding: 60) == 21..<27)
    }

    @Test func `when all owners together exceed the limit, the largest loses sequences`() {
        var limits = SequenceLimits()
        limits.user = .init(sequences: 10, bytes: 1_000)
        limits.shared = .init(sequences: 10, bytes: 1_000)
        limits.total = .init(sequences: 10, bytes: 1_000)
        var table = SequenceTable(limits: limits)
        table.begin("ada", user, size: 10, now: 0)
        table.add("ada", number: 1, size: 100, now: 1)
        for (time, id) in ["x", "y"].enumerated() {
            table.begin(id, anonymous, size: 10, now: 100)
            table.add(id, number: 1, size: 430, now: 100 + Int64(time))
        }
        #expect(table.bytes == 990 && table.surplus(of: anonymous, keeping: "y") == nil)
        table.add("y", number: 2, size: 50, now: 102)
        #expect(table.surplus(of: anonymous, keeping: "y") == "x")
        // Nor does a user who comes displace another one.
        table.begin("bob", other, size: 10, now: 103)
        #expect(table.surplus(of: other, keeping: "bob") == "x")
    }

    @Test func `handshakes without a commit displace each other`() {
        var limits = SequenceLimits()
        limits.shared = .init(sequences: 3, bytes: 1_000)
        var table = SequenceTable(limits: limits)
        table.begin("idle", anonymous, size: 10, now: 0)
        table.add("idle", number: 1, size: 10, now: 0)
        for number in 1...20 {
            table.begin("h\(number)", anonymous, size: 10, now: Int64(number))
            while let surplus = table.surplus(of: anonymous, keeping: "h\(number)") { table.remove(surplus) }
        }
        #expect(table.count == 3)
        #expect(table.rejection("idle", anonymous, resumingAfter: 1, now: 21) == nil)
        #expect(table.rejection("h18", anonymous, resumingAfter: 0, now: 21) != nil)
        #expect(table.rejection("h19", anonymous, resumingAfter: 0, now: 21) == nil)
    }

    @Test func `few are removed immediately`() {
        var table = SequenceTable(limits: SequenceLimits(retention: 5, removedAtOnce: 3))
        for number in 0..<10 { table.begin("\(number)", user, size: 1, now: 0) }
        #expect(table.expired(now: 100).count == 3)
    }

    @Test func `outcomes before a gap in a damaged database are lost`() {
        var table = SequenceTable(limits: SequenceLimits())
        table.begin("s", user, size: 10, now: 0)
        for number: Int64 in [5, 6, 9] { table.add("s", number: number, size: 10, now: 0) }
        #expect([5, 6, 7, 8, 9, 10, 11].map { answer(table, $0) } == [.lost, .lost, .lost, .lost, .again, .apply, .aborted])
        #expect(table.bytes == 20)
        table.add("s", number: 9, size: 10, now: 0)
        table.add("unknown", number: 1, size: 10, now: 0)
        #expect(table.bytes == 20)
    }

    @Test func `keys sort a sequence before its outcomes, and those by number`() {
        let numbers: [Int64] = [1, 9, 10, 255, 256, 1 << 40]
        let keys = [SequenceKey.head("hearth-a")] + numbers.map { SequenceKey.outcome("hearth-a", $0) }
        #expect(keys == keys.sorted())
        #expect(keys.allSatisfy { SequenceKey.all.contains($0) && SequenceKey.all(of: "hearth-a").contains($0) })
        #expect(!SequenceKey.all(of: "hearth-a").contains(SequenceKey.head("hearth-b")))
        #expect(keys.map { SequenceKey($0) } == [.head(id: "hearth-a")] + numbers.map { .outcome(id: "hearth-a", number: $0) })
        for key in ["", "bundles", "hearth/write-streams/", "hearth/write-streams/a/1", "hearth/write-streams/a/0000000000000001/2"] {
            #expect(SequenceKey(key) == nil)
        }
    }

    @Test func `an outcome is read as stored`() throws {
        let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
        let response = CommitResponse(
            commitTime: time,
            results: [
                WriteResult(updateTime: time, transformResults: [.integer(5), .null, .double(.nan), .timestamp(time.timestamp), .array([.string("x")])]),
                WriteResult(updateTime: nil),
            ])
        let outcome = SequenceOutcome(digest: .max - 5, storedAt: 7, result: .success(response))
        let read = try #require(SequenceOutcome(outcome.bytes))
        #expect(read.bytes == outcome.bytes && read.digest == .max - 5 && read.storedAt == 7)
        #expect(try read.result.get().commitTime == time)
        #expect(try read.result.get().results.map(\.updateTime) == [time, nil])
        #expect(try read.result.get().results[0].transformResults.count == 5)
        let failure = SequenceOutcome(digest: 1, storedAt: 2, result: .failure(FirestoreError(.notFound, "no document", at: "c/a")))
        guard case .failure(let error)? = SequenceOutcome(failure.bytes)?.result else { Issue.record("no failure"); return }
        #expect(error.code == .notFound && error.description == "c/a: no document")
        for damaged in [ByteSlice.empty, ByteSlice(Array(outcome.bytes.array.dropLast())), ByteSlice([1, 2, 3])] {
            #expect(SequenceOutcome(damaged) == nil)
        }
    }
}
