// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Clocks that are set while no process runs (OP-73).
@Suite struct ClockNoteTests {
    private static let hour: Int64 = 3_600_000_000
    private static let start: Int64 = ExpiryFixture.start

    /// A note of the start, an hour after the machine was started.
    private func note(_ session: String? = "one", until: Int64? = nil) -> ClockNote {
        ClockNote(ClockNote.Reading(wall: Self.start, boot: Self.hour, session: session), until: until)
    }

    private func verdict(
        _ note: ClockNote?, passed: Int64, jump: Int64 = 0, session: String? = "one", boot: Int64? = nil, last: Int64 = ClockNoteTests.start
    ) -> ClockNote.Verdict {
        let now = ClockNote.Reading(wall: Self.start + passed + jump, boot: boot ?? Self.hour + passed, session: session)
        return ClockNote.verdict(note, lastCommit: last, now: now)
    }

    @Test func `on the same start of the machine time that has passed is no jump, and every other one is`() {
        for passed in [0, 1, Self.hour, 1_000 * Self.hour] {
            #expect(verdict(note(), passed: passed) == .trusted)
            #expect(verdict(note(), passed: passed, jump: Self.hour) == .trusted)
            #expect(verdict(note(), passed: passed, jump: 3 * Self.hour) == .suspended(Self.hour, jump: 3 * Self.hour))
            #expect(verdict(note(), passed: passed, jump: -3 * Self.hour) == .suspended(Self.hour, jump: -3 * Self.hour))
        }
    }

    @Test func `on another start a clock that is far from the note is doubted`() {
        for (session, boot) in [("two", Self.hour * 9), (nil, Self.hour * 9), ("one", 0)] as [(String?, Int64)] {
            #expect(verdict(note(), passed: Self.hour, session: session, boot: boot) == .trusted)
            let late = Self.hour + 1
            #expect(verdict(note(), passed: late, session: session, boot: boot) == .suspended(Self.hour, jump: late))
        }
        #expect(verdict(note(nil), passed: 2 * Self.hour, session: nil) == .suspended(Self.hour, jump: 2 * Self.hour))
    }

    @Test func `a doubt lasts its hour over restarts, and a second jump begins another`() {
        let doubt = note(until: Self.start + Self.hour)
        for session in ["one", "two"] {
            #expect(verdict(doubt, passed: Self.hour / 2, session: session) == .suspended(Self.hour / 2, jump: nil))
            #expect(verdict(doubt, passed: Self.hour, session: session) == .trusted)
        }
        #expect(verdict(doubt, passed: 1, jump: 5 * Self.hour) == .suspended(Self.hour, jump: 5 * Self.hour))
    }

    @Test func `without a note the last commit is what is known`() {
        #expect(verdict(nil, passed: Self.hour) == .trusted)
        #expect(verdict(nil, passed: 2 * Self.hour) == .suspended(Self.hour, jump: 2 * Self.hour))
        #expect(verdict(nil, passed: 2 * Self.hour, last: 0) == .trusted)
        #expect(verdict(nil, passed: -2 * Self.hour) == .trusted)
    }

    @Test func `a note is read as it was stored, and other bytes are none`() {
        for note in [note(), note(nil), note(until: 77)] { #expect(ClockNote(note.bytes) == note) }
        for text in ["", "one 1 2", "one 1 2 x", "one x 2 -", "one 1 2 3 4"] { #expect(ClockNote(ByteSlice([UInt8](text.utf8))) == nil) }
        #expect(ClockNote(nil) == nil)
    }

    // MARK: A database

    private struct Machine {
        let wall = ManualClock(microseconds: ClockNoteTests.start)
        let boot = ManualClock(microseconds: ClockNoteTests.hour)

        func pass(_ time: Int64) {
            wall.advance(microseconds: time)
            boot.advance(microseconds: time)
        }
    }

    private func open(_ file: String, _ machine: Machine, jumped: @escaping @Sendable (Int64) -> Void = { _ in }) throws -> Engine {
        var configuration = EngineConfiguration(
            location: .file(path: file), durability: .relaxed, databaseID: testDatabase, clock: machine.wall)
        let (wall, boot) = (machine.wall, machine.boot)
        configuration.expiry.clock = ExpiryClock(
            wall: { wall.now() }, boot: { boot.now() }, session: { (boot.now(), "one") }, jumped: jumped)
        // Only the test looks.
        configuration.expiry.isOn = false
        return try Engine.open(configuration)
    }

    /// A file with a policy and a document that expires in two hours.
    private func make(_ file: String, _ machine: Machine) async throws {
        let engine = try open(file, machine)
        try await engine.setPolicy(collectionGroup: "sessions", field: ExpiryFixture.field, offset: .zero)
        _ = try await engine.commit(.set("sessions/a", ("expiresAt", ExpiryFixture.date(7_200))))
        try await engine.indexesSettled()
        try await engine.deleteExpired()
        try await engine.checkAndShutDown()
    }

    @Test func `a clock that was set between two processes deletes nothing for an hour, over further restarts`() async throws {
        let (folder, machine) = (try ScratchFolder(), Machine())
        try await make(folder.file(), machine)
        machine.wall.advance(microseconds: 3 * Self.hour)
        let jumps = JumpList()
        for _ in 0..<3 {
            let engine = try open(folder.file(), machine) { jumps.add($0) }
            try await engine.deleteExpired()
            #expect(try await engine.get("sessions/a") != nil)
            machine.pass(Self.hour / 4)
            try await engine.deleteExpired()
            #expect(try await engine.get("sessions/a") != nil)
            try await engine.checkAndShutDown()
        }
        // Reported once.
        #expect(jumps.all == [3 * Self.hour])
        machine.pass(Self.hour / 4)
        let engine = try open(folder.file(), machine)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") == nil)
        try await engine.checkAndShutDown()
    }

    @Test func `a jump that one process has seen holds back the next one`() async throws {
        let (folder, machine) = (try ScratchFolder(), Machine())
        try await make(folder.file(), machine)
        var engine = try open(folder.file(), machine)
        machine.wall.advance(microseconds: 3 * Self.hour)
        try await engine.deleteExpired()
        try await engine.checkAndShutDown()
        machine.pass(8_000_000)
        engine = try open(folder.file(), machine)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") != nil)
        machine.pass(Self.hour)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") == nil)
        try await engine.checkAndShutDown()
    }

    @Test func `a process that was away for days deletes immediately what has expired meanwhile`() async throws {
        let (folder, machine) = (try ScratchFolder(), Machine())
        try await make(folder.file(), machine)
        machine.pass(100 * Self.hour)
        let engine = try open(folder.file(), machine)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") == nil)
        try await engine.checkAndShutDown()
    }

    @Test func `a database without policies notes nothing`() async throws {
        let (folder, machine) = (try ScratchFolder(), Machine())
        let engine = try open(folder.file(), machine)
        _ = try await engine.commit(.set("sessions/a", ("expiresAt", ExpiryFixture.date(1))))
        try await engine.deleteExpired()
        #expect(try await engine.fact(ClockNote.fact) == nil)
        try await engine.checkAndShutDown()
    }
}

private final class JumpList: Sendable {
    private let list = Mutex<[Int64]>([])
    var all: [Int64] { list.withLock { $0 } }
    func add(_ jump: Int64) { list.withLock { $0.append(jump) } }
}
