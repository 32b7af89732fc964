// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreEngine

/// Which transaction goes first where several have met (TX-9): the state of an elder one, by what a younger one does.
@Suite struct RetryLineTests {
    private static let place = DocumentKey(trusted: "c/a")
    private static let elsewhere = DocumentKey(trusted: "c/b")
    /// The first attempt, the next one, and another transaction.
    private static let (first, next, other): (UInt64, UInt64, UInt64) = (1, 2, 3)

    enum State: String, CaseIterable {
        /// Nothing has happened; the elder was aborted; its next attempt has begun, has read, has been silent for long,
        /// has committed, was aborted again.
        case new, aborted, begun, hasRead, idle, tooLong, committed, abortedAgain, forgotten
    }

    enum Event: String, CaseIterable {
        /// Of a younger transaction: reads the document or another one, wants to commit what it has read there before; and of the
        /// elder one: begins again.
        case read, readElsewhere, commit, retry
    }

    enum Outcome: Equatable { case continues, waits, mustYield }

    private static func expected(_ state: State, _ event: Event) -> Outcome {
        switch (state, event) {
        case (.begun, .read), (.hasRead, .read): .waits
        // One that has not read yet does not mind.
        case (.hasRead, .commit): .mustYield
        // Names the first attempt again: it stands behind itself, as if a client had begun twice.
        case (.begun, .retry), (.hasRead, .retry): .waits
        default: .continues
        }
    }

    private static func make(_ state: State) -> (RetryLine, now: Int64) {
        var line = RetryLine()
        guard state != .new else { return (line, 0) }
        _ = line.abort(first, of: .administrator, at: [place], now: 0)
        guard state != .aborted else { return (line, 0) }
        guard state != .forgotten else { return (line, line.limits.memory) }
        _ = line.begin(next, retrying: first, of: .administrator, now: 0)
        guard state != .begun else { return (line, 0) }
        _ = line.read(next, at: [place], now: 0)
        switch state {
        case .idle:
            _ = line.sweep(now: line.limits.idle)
            return (line, line.limits.idle)
        case .tooLong:
            for now in stride(from: Int64(0), to: line.limits.turn, by: 1_000_000) { line.use(next, now: now) }
            _ = line.sweep(now: line.limits.turn)
            return (line, line.limits.turn)
        case .committed: _ = line.leave(next, now: 0)
        case .abortedAgain: _ = line.abort(next, of: .administrator, at: [place], now: 0)
        default: break
        }
        return (line, 0)
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `a younger transaction waits or yields in each state of an elder one that tries again`(state: State, event: Event) {
        var (line, now) = Self.make(state)
        let outcome: Outcome =
            switch event {
            case .read: line.read(Self.other, at: [Self.elsewhere, Self.place], now: now) == .wait ? .waits : .continues
            case .readElsewhere: line.read(Self.other, at: [Self.elsewhere], now: now) == .wait ? .waits : .continues
            case .commit: line.conflict(of: Self.other, at: [Self.elsewhere, Self.place], now: now) == nil ? .continues : .mustYield
            case .retry: line.begin(Self.other, retrying: Self.first, of: .administrator, now: now) == .wait ? .waits : .continues
            }
        #expect(outcome == Self.expected(state, event))
    }

    @Test func `turns go by the age of the first attempt, however often a transaction has lost since`() {
        var line = RetryLine()
        for id: UInt64 in 1...4 { _ = line.abort(id, of: .administrator, at: [Self.place], now: 0) }
        #expect(line.begin(13, retrying: 3, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.begin(14, retrying: 4, of: .administrator, now: 0) == .wait)
        #expect(line.begin(12, retrying: 2, of: .administrator, now: 0) == .wait)
        // A newcomer stands behind all of them.
        #expect(line.read(20, at: [Self.place], now: 0) == .wait)
        #expect(line.begin(11, retrying: 1, of: .administrator, now: 0) == .wait)
        #expect(line.abort(13, of: .administrator, at: [Self.place], now: 0) == [11])
        // Named by the attempt before this one, or by the first: the position in line is the same.
        #expect(line.begin(23, retrying: 13, of: .administrator, now: 0) == .wait)
        #expect(line.leave(11, now: 0) == [12])
        #expect(line.leave(12, now: 0) == [23])
        #expect(line.leave(23, now: 0) == [14])
        #expect(line.leave(14, now: 0) == [20])
        #expect(line.leave(20, now: 0) == [])
        #expect(line.isEmpty)
    }

    @Test func `a transaction has its turn at all documents where it has lost, and none wait in a circle`() {
        var line = RetryLine()
        for (id, places) in [(UInt64(1), [Self.place, Self.elsewhere]), (2, [Self.elsewhere, Self.place])] {
            _ = line.abort(id, of: .administrator, at: [places[0]], now: 0)
            _ = line.begin(id + 10, retrying: id, of: .administrator, now: 0)
            _ = line.abort(id + 10, of: .administrator, at: [places[1]], now: 0)
        }
        #expect(line.begin(21, retrying: 1, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.begin(22, retrying: 2, of: .administrator, now: 0) == .wait)
        #expect(line.leave(21, now: 0) == [22])
        #expect(line.conflict(of: 5, at: [Self.place], now: 0) == nil)
        _ = line.read(22, at: [Self.place], now: 0)
        #expect(line.conflict(of: 5, at: [Self.elsewhere], now: 0) == Self.elsewhere)
        #expect(line.conflict(of: 22, at: [Self.elsewhere], now: 0) == nil)
    }

    @Test func `a retry that names a transaction that was not aborted takes the oldest loss that was not retried`() {
        var line = RetryLine()
        for id: UInt64 in [1, 2] { _ = line.abort(id, of: .administrator, at: [Self.place], now: 0) }
        // 5 still runs: the client has confused its threads.
        #expect(line.begin(11, retrying: 5, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.begin(12, retrying: 5, of: .administrator, now: 0) == .wait)
        // Nothing is left to take; it goes where others are, at whichever read that is.
        #expect(line.begin(13, retrying: 5, of: .administrator, now: 0) == .goOn)
        #expect(line.read(13, at: [Self.elsewhere], now: 0) == .goOn)
        #expect(line.read(13, at: [Self.place], now: 0) == .wait)
        #expect(line.read(11, at: [Self.elsewhere], now: 0) == .goOn)
        #expect(line.conflict(of: 5, at: [Self.place], now: 0) == Self.place)
        #expect(line.leave(11, now: 0) == [12])
        // The loss that 12 has taken was the one of this transaction.
        #expect(line.begin(14, retrying: 2, of: .administrator, now: 0) == .wait)
        #expect(line.leave(12, now: 0) == [14])
        #expect(line.leave(14, now: 0) == [13])
        _ = line.leave(13, now: 0)
        #expect(line.isEmpty)
    }

    @Test func `a retry without a loss takes its turn where others were aborted, for two seconds, also after it has read elsewhere`() {
        var line = RetryLine()
        _ = line.abort(1, of: .administrator, at: [Self.place], now: 0)
        #expect(line.begin(11, retrying: 1, of: .administrator, now: 0) == .goOnInTurn)
        _ = line.leave(11, now: 0)
        for (id, time) in [(UInt64(12), Int64(0)), (13, line.limits.contest)] {
            #expect(line.begin(id, retrying: 5, of: .administrator, now: 0) == .goOn)
            #expect(line.read(id, at: [Self.elsewhere], now: 0) == .goOn)
            #expect(line.read(id, at: [Self.place], now: time) == (time == 0 ? .goOnInTurn : .goOn))
            _ = line.leave(id, now: time)
        }
        #expect(line.isEmpty)
    }

    @Test func `a loss is taken by its own caller only, and not long after`() {
        let (alice, bob) = (SequenceOwner(name: "user:alice"), SequenceOwner(name: "user:bob"))
        var line = RetryLine()
        _ = line.abort(1, of: alice, at: [Self.place], now: 0)
        #expect(line.begin(11, retrying: 5, of: bob, now: 0) == .goOn)
        #expect(line.begin(12, retrying: 5, of: alice, now: 0) == .goOnInTurn)
        _ = line.abort(2, of: alice, at: [Self.elsewhere], now: 0)
        #expect(line.begin(13, retrying: 5, of: alice, now: line.limits.contest) == .goOn)
        // Under its name it is still known.
        #expect(line.begin(14, retrying: 2, of: alice, now: line.limits.contest) == .goOnInTurn)
    }

    @Test func `a turn that was taken for another one's retry is given up where it is of no use`() {
        var line = RetryLine()
        for (id, place) in [(UInt64(1), Self.place), (2, Self.elsewhere)] { _ = line.abort(id, of: .administrator, at: [place], now: 0) }
        #expect(line.begin(12, retrying: 2, of: .administrator, now: 0) == .goOnInTurn)
        // Takes the loss of 1, and is another retry of 2.
        #expect(line.begin(13, retrying: 2, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.read(20, at: [Self.place], now: 0) == .wait)
        #expect(line.read(13, at: [Self.elsewhere], now: 0) == .wait)
        #expect(line.takeFreed() == [20])
        #expect(line.leave(12, now: 0) == [13])
        #expect(line.leave(13, now: 0) == [])
        // The retry of 1 finds its loss.
        #expect(line.begin(11, retrying: 1, of: .administrator, now: 0) == .wait)
        #expect(line.leave(20, now: 0) == [11])
    }

    @Test func `a transaction that waits for its turn waits with all its reads`() {
        var line = RetryLine()
        _ = line.abort(1, of: .administrator, at: [Self.place], now: 0)
        _ = line.begin(11, retrying: 1, of: .administrator, now: 0)
        #expect(line.read(20, at: [Self.elsewhere], now: 0) == .goOn)
        #expect(line.read(20, at: [Self.place], now: 0) == .wait)
        #expect(line.read(20, at: [Self.elsewhere], now: 0) == .wait)
        #expect(line.leave(11, now: 0) == [20])
        #expect(line.read(20, at: [Self.elsewhere], now: 0) == .goOn)
    }

    @Test func `a client that is gone holds the others up for two seconds`() {
        var line = RetryLine()
        for id: UInt64 in 1...2 { _ = line.abort(id, of: .administrator, at: [Self.place], now: 0) }
        #expect(line.begin(11, retrying: 1, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.begin(12, retrying: 2, of: .administrator, now: 0) == .wait)
        #expect(line.sweep(now: line.limits.idle - 1) == [])
        #expect(line.sweep(now: line.limits.idle) == [12])
    }

    @Test func `a wait ends, whether the line moves or not`() {
        var line = RetryLine(limits: RetryLine.Limits(idle: 100, turn: 1_000, wait: 50))
        _ = line.abort(1, of: .administrator, at: [Self.place], now: 0)
        #expect(line.begin(11, retrying: 1, of: .administrator, now: 0) == .goOnInTurn)
        #expect(line.read(20, at: [Self.place], now: 0) == .wait)
        line.use(11, now: 49)
        #expect(line.sweep(now: 49) == [])
        #expect(line.sweep(now: 50) == [20])
        #expect(!line.hasWaiting)
    }

    @Test func `remembered transactions are bounded in number and in time`() {
        var line = RetryLine(limits: RetryLine.Limits(remembered: 10, places: 2))
        for id: UInt64 in 1...100 { _ = line.abort(id, of: .administrator, at: [Self.place], now: Int64(id)) }
        #expect(line.rememberedCount == 10)
        #expect(line.begin(201, retrying: 1, of: .administrator, now: 100) == .goOnInTurn)
        _ = line.leave(201, now: 100)
        #expect(line.isEmpty)
        #expect(line.begin(202, retrying: 100, of: .administrator, now: 100) == .goOnInTurn)
        #expect(!line.isEmpty)
        for path in ["c/1", "c/2", "c/3"] {
            _ = line.abort(202, of: .administrator, at: [DocumentKey(trusted: path)], now: 100)
            _ = line.begin(202, retrying: 100, of: .administrator, now: 100)
        }
        #expect(line.read(300, at: [DocumentKey(trusted: "c/1")], now: 100) == .wait)
        #expect(line.read(301, at: [DocumentKey(trusted: "c/3")], now: 100) == .goOn)
    }
}
