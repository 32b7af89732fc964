// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import TestSupport
import Testing

@testable import FirestoreRemote

/// A call that waits for its token: what is done with it before, meanwhile, and afterwards.
@Suite(.timeLimit(.minutes(2)))
struct DeferredCallTests {
    private final class Ends: RPCClientHandler {
        private let ends = Mutex<[FirestoreError.Code?]>([])
        var codes: [FirestoreError.Code?] { ends.withLock { $0 } }

        func receive(_ message: ByteSlice) {}
        func becameWritable() {}
        func ended(_ status: RPCStatus?, trailers: RPCMetadata) { ends.withLock { $0.append(status?.code) } }
    }

    private let ends = Ends()
    private let gate = Gate()

    private func bytes(_ call: HandDrivenCall) -> [UInt8] { call.sent.flatMap(\.array) }

    @Test func `what is done before is done once there is a token, in its order, and later steps come behind it`() async {
        let (deferred, call) = (DeferredCall(ends), HandDrivenCall(ends))
        deferred.send([1])
        deferred.open { [gate] () async throws(FirestoreError) in
            await gate.wait()
            return { _ in
                // From another thread, while the call is being opened.
                deferred.send([3])
                deferred.setReading(false)
                return call
            }
        }
        deferred.send([2])
        #expect(call.sent.isEmpty)
        gate.open()
        await until { !call.readings.isEmpty }
        deferred.setReading(true)
        deferred.send([4])
        deferred.halfClose()
        await until { call.isHalfClosed }
        #expect(bytes(call) == [1, 2, 3, 4] && call.readings == [false, true])
        #expect(!call.isCancelled && ends.codes.isEmpty)
    }

    @Test func `a call that is cancelled before it has a token is not opened, and ends once`() async {
        let deferred = DeferredCall(ends)
        deferred.open { [gate] () async throws(FirestoreError) in
            await gate.wait()
            throw FirestoreError(.unauthenticated, "too late")
        }
        deferred.cancel()
        deferred.cancel()
        deferred.send([1])
        gate.open()
        #expect(ends.codes == [.cancelled])
        await #expect(throws: RPCStatus.self) { try await deferred.whenWritable() }
    }

    @Test func `a call that is cancelled while it is opened is cancelled behind its messages`() async {
        let (deferred, call) = (DeferredCall(ends), HandDrivenCall(ends))
        deferred.open { () async throws(FirestoreError) in
            { _ in
                deferred.send([1])
                deferred.cancel()
                return call
            }
        }
        await until { call.isCancelled }
        #expect(bytes(call) == [1] && ends.codes.isEmpty)
    }

    @Test func `a token that is refused ends the call`() async {
        let deferred = DeferredCall(ends)
        deferred.open { () async throws(FirestoreError) in throw FirestoreError(.unauthenticated, "no") }
        await until { !ends.codes.isEmpty }
        #expect(ends.codes == [.unauthenticated])
    }

    @Test func `senders wait while much waits for the token`() async throws {
        let (deferred, call) = (DeferredCall(ends), HandDrivenCall(ends))
        deferred.open { [gate] () async throws(FirestoreError) in
            await gate.wait()
            return { _ in call }
        }
        #expect(deferred.isWritable)
        deferred.send([UInt8](repeating: 0, count: 256 << 10))
        #expect(!deferred.isWritable)
        let waiting = Task { try await deferred.whenWritable() }
        gate.open()
        try await waiting.value
        #expect(deferred.isWritable && call.sent.map(\.count) == [256 << 10])
    }
}
