// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A call that is opened as soon as there is a token for it. Earlier messages wait.
final class DeferredCall: RPCClientCall {
    typealias Opening = @Sendable (any RPCClientHandler) -> any RPCClientCall

    private enum State {
        case early(Early)
        case open(any RPCClientCall)
        /// The call has ended before it was opened.
        case over
    }

    /// A call that is not open: what is done with it waits.
    private struct Early {
        /// Fetches the token.
        var task: Task<Void, Never>?
        /// There is a token. One thread opens the call and performs the steps; later ones come behind them.
        var isOpening = false
        var steps: [Step] = []
        var bytes = 0
        var writers: [CheckedContinuation<Void, Never>] = []

        var isFull: Bool { bytes >= DeferredCall.most }
    }

    private enum Step {
        case send([UInt8])
        case halfClose
        case setReading(Bool)
        case cancel
    }

    private let handler: any RPCClientHandler
    private let state = Mutex(State.early(Early()))
    /// Above this, senders have to wait.
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
        state.withLock { state in
            guard case .early(var early) = state else { return }
            early.task = task
            state = .early(early)
        }
    }

    private func begin(_ opening: Opening) {
        let isWanted = state.withLock { state in
            guard case .early(var early) = state else { return false }
            early.isOpening = true
            state = .early(early)
            return true
        }
        guard isWanted else { return }
        let call = opening(handler)
        while let steps = nextSteps(call) {
            for step in steps { Self.perform(step, on: call) }
        }
    }

    /// The steps that wait; nil, and later ones go to the call themselves, if there are none.
    private func nextSteps(_ call: any RPCClientCall) -> [Step]? {
        let (steps, writers): ([Step]?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
            guard case .early(var early) = state else { return (nil, []) }
            let steps = early.steps
            early.steps = []
            state = steps.isEmpty ? .open(call) : .early(early)
            return steps.isEmpty ? (nil, early.writers) : (steps, [])
        }
        for writer in writers { writer.resume() }
        return steps
    }

    private static func perform(_ step: Step, on call: any RPCClientCall) {
        switch step {
        case .send(let message): call.send(message)
        case .halfClose: call.halfClose()
        case .setReading(let isOn): call.setReading(isOn)
        case .cancel: call.cancel()
        }
    }

    private func end(_ status: RPCStatus) {
        let early: Early? = state.withLock { state in
            guard case .early(let early) = state, !early.isOpening else { return nil }
            state = .over
            return early
        }
        guard let early else { return }
        for writer in early.writers { writer.resume() }
        handler.ended(status, trailers: RPCMetadata())
    }

    // MARK: RPCClientCall

    func send(_ message: [UInt8]) { take(.send(message), bytes: message.count) }
    func halfClose() { take(.halfClose) }
    func setReading(_ isOn: Bool) { take(.setReading(isOn)) }

    /// Performs a step, or stores it until the call is opened.
    private func take(_ step: Step, bytes: Int = 0) {
        let call: (any RPCClientCall)? = state.withLock { state in
            switch state {
            case .early(var early):
                early.steps.append(step)
                early.bytes += bytes
                state = .early(early)
            case .open(let call): return call
            case .over: break
            }
            return nil
        }
        if let call { Self.perform(step, on: call) }
    }

    func cancel() {
        if case .early(let early) = state.withLock({ $0 }) {
            early.task?.cancel()
            end(RPCStatus(.cancelled, "the call was cancelled", progress: .notBegun))
        }
        take(.cancel)
    }

    var isWritable: Bool {
        switch state.withLock({ $0 }) {
        case .early(let early): !early.isFull
        case .open(let call): call.isWritable
        case .over: true
        }
    }

    func whenWritable() async throws(RPCStatus) {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard case .early(var early) = state, early.isFull else { return false }
                early.writers.append(continuation)
                state = .early(early)
                return true
            }
            if !waits { continuation.resume() }
        }
        switch state.withLock({ $0 }) {
        case .early: break
        case .open(let call): try await call.whenWritable()
        case .over: throw RPCStatus(.cancelled, "the call has ended")
        }
    }
}
