// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A channel whose first calls end as a test decides; the others go through. Notes every call.
final class FlakyChannel: RPCChannel {
    struct Call: Sendable {
        let method: String
        let authorization: String?
    }

    private struct State {
        var endings: [RPCStatus]
        var calls: [Call] = []
    }

    private let base: any RPCChannel
    private let state: Mutex<State>

    init(_ base: any RPCChannel, _ endings: [RPCStatus] = []) {
        self.base = base
        state = Mutex(State(endings: endings))
    }

    var calls: [Call] { state.withLock { $0.calls } }

    private func ending(_ path: String, _ metadata: RPCMetadata) -> RPCStatus? {
        state.withLock { state in
            state.calls.append(Call(method: path.split(separator: "/").last.map(String.init) ?? "", authorization: metadata["authorization"]))
            return state.endings.isEmpty ? nil : state.endings.removeFirst()
        }
    }

    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        if let status = ending(path, metadata) { throw status }
        return try await base.unary(path, request, metadata: metadata, deadline: deadline)
    }

    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        guard let status = ending(path, metadata) else {
            return base.open(path, metadata: metadata, deadline: deadline, handler: handler)
        }
        Task { handler.ended(status, trailers: RPCMetadata()) }
        return EndedCall()
    }

    func shutdown() async { await base.shutdown() }
}

/// A call that nothing can be done with any more.
private final class EndedCall: RPCClientCall {
    func send(_ message: [UInt8]) {}
    var isWritable: Bool { true }
    func whenWritable() async throws(RPCStatus) {}
    func halfClose() {}
    func cancel() {}
    func setReading(_ isOn: Bool) {}
}
