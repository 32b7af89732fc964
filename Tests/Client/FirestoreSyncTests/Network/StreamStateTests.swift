// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSync

@Suite("StreamState: how long a stream waits")
struct StreamStateTests {
    private func stream() -> StreamState<String> { StreamState(backoff: Backoff(random: { 0.5 })) }

    private func fail(_ stream: inout StreamState<String>, at now: Duration, _ code: FirestoreError.Code = .unavailable) {
        stream.opened("link", now: now)
        stream.failed(FirestoreError(code, "the stream broke"))
    }

    // SY-115
    @Test func `the first retry is immediate, later ones wait longer and longer`() {
        var stream = stream()
        #expect(stream.start(now: .zero) == nil)
        var waits: [Duration] = []
        for _ in 0..<14 {
            fail(&stream, at: .zero)
            waits.append(stream.start(now: .zero) ?? .seconds(-1))
        }
        #expect(Array(waits.prefix(4)) == [.zero, .seconds(1), .milliseconds(1_500), .milliseconds(2_250)])
        #expect(waits.last == .seconds(60))
    }

    @Test func `the time since the last attempt counts`() {
        var stream = stream()
        fail(&stream, at: .seconds(1))
        _ = stream.start(now: .seconds(1))
        fail(&stream, at: .seconds(2))
        #expect(stream.start(now: .milliseconds(2_400)) == .milliseconds(600))
        fail(&stream, at: .seconds(3))
        #expect(stream.start(now: .seconds(100)) == .zero)
    }

    // T93
    @Test func `an exhausted server is left alone for the longest time`() {
        var stream = stream()
        fail(&stream, at: .zero, .resourceExhausted)
        #expect(stream.start(now: .zero) == .seconds(60))
    }

    @Test func `a success makes the next retry immediate`() {
        var stream = stream()
        for _ in 0..<5 {
            fail(&stream, at: .zero)
            _ = stream.start(now: .zero)
        }
        stream.opened("link", now: .zero)
        stream.succeeded()
        stream.failed(nil)
        #expect(stream.start(now: .zero) == .zero)
    }

    @Test func `a stream that was stopped starts without a wait, and its old events have another number`() {
        var stream = stream()
        fail(&stream, at: .zero)
        let number = stream.number
        #expect(stream.stop() == nil)
        #expect(stream.start(now: .zero) == nil)
        #expect(stream.nextNumber() > number)
        stream.opened("second", now: .zero)
        #expect(stream.link == "second")
        #expect(stream.stop() == "second")
        #expect(!stream.isStarted)
    }

    @Test func `only an open stream becomes idle, and use ends that`() {
        var stream = stream()
        let stopped = stream.markIdle()
        stream.opened("link", now: .zero)
        let marks = [stopped, stream.markIdle(), stream.markIdle()]
        #expect(marks == [false, true, false])
        let uses = [stream.isUsed(), stream.isUsed()]
        #expect(uses == [true, false])
        #expect(!stream.isIdle)
    }

    // SY-68
    @Test(arguments: FirestoreError.Code.allCases)
    func `eight codes reject a batch, the others send it again`(code: FirestoreError.Code) {
        let permanent: Set<FirestoreError.Code> = [
            .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange, .unimplemented, .dataLoss,
        ]
        #expect(FirestoreError(code, "").isPermanentWriteError == permanent.contains(code))
    }
}
