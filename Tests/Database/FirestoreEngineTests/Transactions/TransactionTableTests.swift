// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// The life of a transaction, state by event (TX-6 … TX-10).
@Suite struct TransactionTableTests {
    private static let first: UInt64 = 1_000
    private static let readWrite = TransactionMode.readWrite(retrying: nil)
    private static let readOnly = TransactionMode.readOnly(at: nil)

    enum State: String, CaseIterable {
        case new, read, readOnly, committed, rolledBack, failed, idle, old, unknown, unknownBefore
    }

    enum Event: String, CaseIterable {
        case snapshot, pin, add, commit, commitNothing, rollback, retry
    }

    /// nil: allowed.
    private static func expected(_ state: State, _ event: Event) -> FirestoreError.Code? {
        switch (state, event) {
        case (.unknown, _), (.unknownBefore, _): .invalidArgument  // TX-7
        case (_, .retry): nil
        case (.new, _), (.read, _): nil
        case (.readOnly, .commit): .invalidArgument  // TX-6
        case (.readOnly, _): nil
        case (.committed, _), (.rolledBack, _), (.failed, _), (.idle, _), (.old, _): .aborted  // TX-7, TX-8, TX-9, TX-10
        }
    }

    private func make(_ state: State) throws -> (TransactionTable, TransactionID, now: Int64) {
        var table = TransactionTable(limits: TransactionLimits(), first: Self.first)
        let mode = state == .readOnly || state == .failed ? Self.readOnly : Self.readWrite
        let id = try table.begin(mode, owner: 1, caller: .administrator, now: 0)
        switch state {
        case .new, .readOnly: return (table, id, 0)
        case .read:
            _ = try table.pin(id, to: DocumentVersion(microseconds: 7), now: 0)
            try table.add(.documents([]), at: DocumentVersion(microseconds: 7), to: id, now: 0)
        case .committed: _ = try table.commit(id, isWriting: true, now: 0)
        case .rolledBack: try table.rollback(id, now: 0)
        case .failed: _ = try? table.commit(id, isWriting: true, now: 0)
        case .idle: return (table, id, 60_000_000)
        case .old:
            for now in stride(from: Int64(0), to: 270_000_000, by: 10_000_000) { _ = try table.snapshot(of: id, now: now) }
            return (table, id, 270_000_000)
        case .unknown: return (table, TransactionID(Self.first + 1), 0)
        case .unknownBefore: return (table, TransactionID(Self.first - 1), 0)
        }
        return (table, id, 0)
    }

    private func apply(
        _ event: Event, to table: inout TransactionTable, _ id: TransactionID, _ now: Int64
    ) throws(FirestoreError) {
        switch event {
        case .snapshot: _ = try table.snapshot(of: id, now: now)
        case .pin: _ = try table.pin(id, to: DocumentVersion(microseconds: 9), now: now)
        case .add: try table.add(.documents([]), at: .none, to: id, now: now)
        case .commit: _ = try table.commit(id, isWriting: true, now: now)
        case .commitNothing: _ = try table.commit(id, isWriting: false, now: now)
        case .rollback: try table.rollback(id, now: now)
        case .retry: _ = try table.begin(.readWrite(retrying: id), owner: 1, caller: .administrator, now: now)
        }
    }

    @Test("a transaction handles each event in each state", arguments: State.allCases, Event.allCases)
    func cell(state: State, event: Event) throws {
        var (table, id, now) = try make(state)
        var code: FirestoreError.Code?
        do throws(FirestoreError) { try apply(event, to: &table, id, now) } catch { code = error.code }
        #expect(code == Self.expected(state, event))
        let isOver = event == .commit || event == .commitNothing || event == .rollback || ![.new, .read, .readOnly].contains(state)
        guard event != .retry, state != .unknown, state != .unknownBefore else { return }
        #expect(table.openCount == (isOver ? 0 : 1))
    }

    @Test("the first read sets the moment for all, and a read-only transaction remembers nothing")
    func moments() throws {
        var table = TransactionTable(limits: TransactionLimits(), first: 1)
        let (early, late) = (DocumentVersion(microseconds: 5), DocumentVersion(microseconds: 9))
        let id = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 0)
        #expect(try table.snapshot(of: id, now: 0) == nil)
        #expect(try table.pin(id, to: early, now: 0) == early)
        #expect(try table.pin(id, to: late, now: 0) == early)
        #expect(try table.snapshot(of: id, now: 0) == early)
        let key = DocumentKey(trusted: "c/a")
        // A read at another moment is not recorded.
        #expect(try table.add(.documents([(key, early)]), at: late, to: id, now: 0) == early)
        #expect(try table.add(.documents([(key, late)]), at: early, to: id, now: 0) == early)
        let reads = try table.commit(id, isWriting: true, now: 0).reads
        #expect(reads.snapshot == early && reads.versions == [key: late])
        let past = try table.begin(.readOnly(at: early), owner: 1, caller: .administrator, now: 0)
        #expect(try table.snapshot(of: past, now: 0) == early)
        try table.add(.documents([(key, late)]), at: early, to: past, now: 0)
        try table.rollback(past, now: 0)
    }

    @Test func `the moment moves to one at which everything that was read is the same, unless someone relies on it`() throws {
        var table = TransactionTable(limits: TransactionLimits(), first: 1)
        let times = (1...4).map { DocumentVersion(microseconds: $0) }
        let key = DocumentKey(trusted: "c/a")
        let id = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 0)
        #expect(table.reads(of: id) == nil)
        _ = try table.pin(id, to: times[0], now: 0)
        let nothing = try #require(table.reads(of: id))
        try table.add(.documents([(key, times[0])]), at: times[0], to: id, now: 0)
        // It has read more than was checked.
        #expect(try table.move(id, of: nothing, to: times[1], now: 0) == times[0])
        let reads = try #require(table.reads(of: id))
        #expect(try table.move(id, of: reads, to: times[2], now: 0) == times[2])
        #expect(try table.snapshot(of: id, now: 0) == times[2])
        let later = try #require(table.reads(of: id))
        #expect(table.mayWait(id))
        table.fix(id)
        #expect(!table.mayWait(id) && table.reads(of: id) == nil)
        #expect(try table.move(id, of: later, to: times[3], now: 0) == times[2])
    }

    @Test("using a transaction extends its idle time, not its lifetime")
    func time() throws {
        var table = TransactionTable(limits: TransactionLimits(), first: 1)
        let id = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 0)
        for now in stride(from: Int64(59_999_999), to: 270_000_000, by: 59_999_999) {
            _ = try table.snapshot(of: id, now: now)
        }
        _ = try table.commit(id, isWriting: true, now: 269_999_999)
        let clockSetBack = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 1_000)
        _ = try table.commit(clockSetBack, isWriting: true, now: -1_000)
    }

    @Test("open transactions are limited; expired ones release capacity; a handle ends its own")
    func bounds() throws {
        var table = TransactionTable(limits: TransactionLimits(lifetime: 100, idle: 10, total: TransactionLimits.Share(transactions: 2, bytes: 0)), first: 1)
        _ = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 0)
        _ = try table.begin(Self.readWrite, owner: 2, caller: .administrator, now: 5)
        #expect(throws: FirestoreError.self) { try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 9) }
        _ = try table.begin(Self.readWrite, owner: 1, caller: .administrator, now: 10)
        #expect(table.openCount == 2)
        #expect(table.end(owner: 1).count == 1)
        #expect(table.openCount == 1)
    }
}
