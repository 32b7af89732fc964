// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A call that is opened as soon as there is a token for it. Earlier messages wait.
final class DeferredCall: RPCClientCall {
    typealias Opening = @Sendable (any RPCClientHandler) -> any RPCClientCall

    private struct State {
        var call: (any RPCClientCall)?
        /// Messages sent before the call was opened.
        var early: [[UInt8]] = []
        var earlyBytes = 0
        var isHalfClosed = false
        var isReading = true
        var isOver = false
        var task: Task<Void, Never>?
        var writers: [CheckedContinuation<Void, Never>] = []
    }

    private let handler: any RPCClientHandler
    private let state = Mutex(State())
    /// Above this, senders are told to wait.
    private static let most = 256 << 10

    init(_ handler: any RPCClientHandler) { self.handler = handler }

    func open(_ prepare: @escaping @Sendable () async throws(FirestoreError) -> Opening) {
        let task = Task { [self] in
            do throws(FirestoreError) {
                begin(try await prepare())
            } catch {
                end(RPCStatus(error.code, error.message, progress: .notBegun))
            }
        }
        state.withLock { $0.task = task }
    }

    private func begin(_ opening: Opening) {
        // Sent in order: other senders wait for the lock meanwhile. The channel makes no callbacks from these calls.
        let writers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.isOver else { return [] }
            let call = opening(handler)
            for message in state.early { call.send(message) }
            if state.isHalfClosed { call.halfClose() }
            if !state.isReading { call.setReading(false) }
            state.call = call
            state.early = []
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume() }
    }

    private func end(_ status: RPCStatus) {
        let (isFirst, writers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard !state.isOver, state.call == nil else { return (false, []) }
            state.isOver = true
            state.early = []
            defer { state.writers = [] }
            return (true, state.writers)
        }
        guard isFirst else { return }
        for writer in writers { writer.resume() }
        handler.ended(status, trailers: RPCMetadata())
    }

    // MARK: RPCClientCall

    func send(_ message: [UInt8]) {
        let call = state.withLock { state -> (any RPCClientCall)? in
            if let call = state.call { return call }
            guard !state.isOver else { return nil }
            state.early.append(message)
            state.earlyBytes += message.count
            return nil
        }
        call?.send(message)
    }

    var isWritable: Bool {
        let (call, isWritable) = state.withLock { ($0.call, $0.earlyBytes < Self.most) }
        return call?.isWritable ?? isWritable
    }

    func whenWritable() async throws(RPCStatus) {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.call == nil, !state.isOver, state.earlyBytes >= Self.most else { return false }
                state.writers.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
        let (call, isOver) = state.withLock { ($0.call, $0.isOver) }
        if let call { return try await call.whenWritable() }
        if isOver { throw RPCStatus(.cancelled, "the call has ended") }
    }

    func halfClose() {
        let call = state.withLock { state in
            if state.call == nil { state.isHalfClosed = true }
            return state.call
        }
        call?.halfClose()
    }

    func cancel() {
        let (call, task) = state.withLock { ($0.call, $0.task) }
        if let call { return call.cancel() }
        task?.cancel()
        end(RPCStatus(.cancelled, "the call was cancelled", progress: .notBegun))
    }

    func setReading(_ isOn: Bool) {
        let call = state.withLock { state in
            if state.call == nil { state.isReading = isOn }
            return state.call
        }
        call?.setReading(isOn)
    }
}
