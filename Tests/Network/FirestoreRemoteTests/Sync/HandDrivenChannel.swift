// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A channel without a server: the test says what comes, and sees what was sent.
final class HandDrivenChannel: RPCChannel {
    private let opened = Mutex<[HandDrivenCall]>([])

    var calls: [HandDrivenCall] { opened.withLock { $0 } }

    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        throw RPCStatus(.unimplemented, "there is no server")
    }

    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        let call = HandDrivenCall(handler)
        opened.withLock { $0.append(call) }
        return call
    }

    func shutdown() async {}
}

final class HandDrivenCall: RPCClientCall {
    private struct State {
        var sent: [ByteSlice] = []
        var readings: [Bool] = []
        var isCancelled = false
        var isHalfClosed = false
    }

    let handler: any RPCClientHandler
    private let state = Mutex(State())

    init(_ handler: any RPCClientHandler) { self.handler = handler }

    var sent: [ByteSlice] { state.withLock { $0.sent } }
    /// Whether it was to be read, each time that changed.
    var readings: [Bool] { state.withLock { $0.readings } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var isHalfClosed: Bool { state.withLock { $0.isHalfClosed } }

    func send(_ message: [UInt8]) { state.withLock { $0.sent.append(ByteSlice(message)) } }
    var isWritable: Bool { true }
    func whenWritable() async throws(RPCStatus) {}
    func halfClose() { state.withLock { $0.isHalfClosed = true } }
    func cancel() { state.withLock { $0.isCancelled = true } }
    func setReading(_ isOn: Bool) { state.withLock { $0.readings.append(isOn) } }
}
