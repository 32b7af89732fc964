// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Clocks that are set (OP-73).
@Suite struct ExpiryClockTests {
    private static let hour: Int64 = 3_600_000_000
    private let wall = ManualClock(microseconds: ExpiryFixture.start)
    private let boot = ManualClock(microseconds: 0)
    private let jumps = Jumps()
    private let clock: ExpiryClock

    private final class Jumps: Sendable {
        private let all = Mutex<[Int64]>([])
        func add(_ jump: Int64) { all.withLock { $0.append(jump) } }
        var seen: [Int64] { all.withLock { $0 } }
    }

    init() {
        let (wall, boot, jumps) = (wall, boot, jumps)
        clock = ExpiryClock(wall: { wall.now() }, boot: { boot.now() }, jumped: { jumps.add($0) })
    }

    private func pass(_ time: Int64) {
        wall.advance(microseconds: time)
        boot.advance(microseconds: time)
    }

    /// OT-34
    @Test func `after a jump by a year nothing expires for an hour, then by the new time`() {
        for year in [8_760 * Self.hour, -8_760 * Self.hour] {
            pass(60_000_000)
            #expect(clock.read() == .now(wall.now()))
            wall.advance(microseconds: year)
            #expect(clock.read() == .suspended(Self.hour))
            pass(Self.hour - 1)
            #expect(clock.read() == .suspended(1))
            pass(1)
            #expect(clock.read() == .now(wall.now()))
        }
        #expect(jumps.seen == [8_760 * Self.hour, -8_760 * Self.hour])
    }

    /// OT-34
    @Test func `a jump forward and back within the hour is two jumps, and the hour begins again`() {
        wall.advance(microseconds: 8_760 * Self.hour)
        #expect(clock.read() == .suspended(Self.hour))
        pass(Self.hour / 2)
        wall.advance(microseconds: -8_760 * Self.hour)
        #expect(clock.read() == .suspended(Self.hour))
        pass(Self.hour)
        #expect(clock.read() == .now(wall.now()))
        #expect(jumps.seen.count == 2)
    }

    @Test func `time that passes, a machine that slept, and small corrections are no jumps`() {
        for time in [1, 60_000_000, 100 * Self.hour] {
            pass(time)
            #expect(clock.read() == .now(wall.now()))
        }
        wall.advance(microseconds: Self.hour)
        #expect(clock.read() == .now(wall.now()))
        wall.advance(microseconds: -Self.hour)
        #expect(clock.read() == .now(wall.now()))
        wall.advance(microseconds: Self.hour + 1)
        #expect(clock.read() == .suspended(Self.hour))
        #expect(jumps.seen == [Self.hour + 1])
    }

    /// OT-34
    @Test func `a database deletes nothing in the hour after a jump, and continues by itself`() async throws {
        var configuration = EngineConfiguration(location: .memory, databaseID: testDatabase, clock: wall)
        configuration.expiry.clock = clock
        configuration.expiry.interval = 1_000
        let engine = try Engine.open(configuration)
        try await engine.setPolicy(collectionGroup: "sessions", field: ExpiryFixture.field, offset: .zero)
        _ = try await engine.commit(.set("sessions/a", ("expiresAt", ExpiryFixture.date(1_000_000))))
        try await engine.indexesSettled()
        wall.advance(microseconds: 8_760 * Self.hour)
        try await engine.deleteExpired()
        #expect(try await engine.get("sessions/a") != nil)
        #expect(jumps.seen.count == 1)
        pass(Self.hour)
        try await eventually("the document expires") { try await engine.get("sessions/a") == nil }
        try await engine.checkAndShutDown()
    }

    /// OT-34
    @Test func `a clock that a test moves is trusted`() async throws {
        let fixture = try ExpiryFixture()
        try await fixture.expire()
        try await fixture.add("sessions/a", at: 100_000_000)
        try await fixture.pass(to: 100_000_000)
        #expect(try await fixture.paths() == [])
        try await fixture.engine.checkAndShutDown()
    }
}
