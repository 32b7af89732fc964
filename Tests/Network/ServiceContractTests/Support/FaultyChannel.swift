// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import TestSupport

/// A channel on which unary calls overtake each other and streams break off: a Listen stream after some messages, so that
/// listeners have to resume. Reproducible as far as the order of calls is.
final class FaultyChannel: RPCChannel {
    private let channel: any RPCChannel
    private let random: Mutex<SeededGenerator>
    private let opened = Mutex(0)

    init(_ channel: any RPCChannel, seed: UInt64) {
        self.channel = channel
        random = Mutex(SeededGenerator(seed: seed))
    }

    private func number(_ range: ClosedRange<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        for _ in 0..<number(0...20) { await Task.yield() }
        return try await channel.unary(path, request, metadata: metadata, deadline: deadline)
    }

    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        guard path.utf8.elementsEqual("/google.firestore.v1.Firestore/Listen".utf8) else {
            return channel.open(path, metadata: metadata, deadline: deadline, handler: handler)
        }
        // Each lives longer than the one before, or nothing would ever get through.
        let most = opened.withLock { opened in
            opened += 12
            return opened
        }
        let breaking = BreakingHandler(handler, after: number(1...most))
        let call = channel.open(path, metadata: metadata, deadline: deadline, handler: breaking)
        breaking.attach(call)
        return call
    }

    func shutdown() async { await channel.shutdown() }
}

/// Hands on so many messages and then says that the connection is lost.
private final class BreakingHandler: RPCClientHandler {
    private struct State {
        var left: Int
        var isBroken = false
        var call: (any RPCClientCall)?
    }

    private let handler: any RPCClientHandler
    private let state: Mutex<State>

    init(_ handler: any RPCClientHandler, after count: Int) {
        self.handler = handler
        state = Mutex(State(left: count))
    }

    func attach(_ call: any RPCClientCall) {
        let isBroken = state.withLock { state in
            state.call = call
            return state.isBroken
        }
        if isBroken { call.cancel() }
    }

    func receive(_ message: ByteSlice) {
        let (passes, breaks, call) = state.withLock { state -> (Bool, Bool, (any RPCClientCall)?) in
            guard !state.isBroken else { return (false, false, nil) }
            state.left -= 1
            state.isBroken = state.left == 0
            return (true, state.isBroken, state.call)
        }
        if passes { handler.receive(message) }
        guard breaks else { return }
        handler.ended(RPCStatus(.unavailable, "cut by the test"), trailers: RPCMetadata())
        call?.cancel()
    }

    func becameWritable() { handler.becameWritable() }

    func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
        let wasBroken = state.withLock { state in
            defer { state.isBroken = true }
            return state.isBroken
        }
        if !wasBroken { handler.ended(status, trailers: trailers) }
    }
}
