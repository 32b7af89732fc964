// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore

/// The body of a request that is read while it arrives. Holds a bounded number of bytes: the peer has to wait while they are not read.
///
/// One thread reads, which must be neither a connection's loop nor one of the tasks' threads, because it waits.
package final class HTTPRequestBody: Sendable {
    private struct State {
        /// In reverse order once some were taken: the next one is the last of `next`.
        var next: [ByteSlice] = []
        var later: [ByteSlice] = []
        var count = 0
        var isFull = false
        /// nil while more may arrive.
        var end: Result<Void, RPCStatus>?
        var isClosed = false
    }

    private let highMark: Int
    private let lowMark: Int
    private let onRoom: @Sendable () -> Void
    private let state = Mutex(State())
    /// At least one signal for everything that arrives.
    private let arrivals = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - highMark: The peer waits when more bytes than this were not read…
    ///   - lowMark: …until no more than this many are left.
    ///   - onRoom: Called on the reading thread when there is room again after there was none.
    package init(highMark: Int = 256 << 10, lowMark: Int = 64 << 10, onRoom: @escaping @Sendable () -> Void = {}) {
        self.highMark = highMark
        self.lowMark = lowMark
        self.onRoom = onRoom
    }

    // MARK: Reading

    /// The next part, as soon as there is one; nil at the end. Throws when the peer has gone, or has sent nothing for so long.
    package func next(within patience: Duration = .seconds(60)) throws(RPCStatus) -> ByteSlice? {
        let deadline = DispatchTime.now() + .milliseconds(Int(min(patience, .seconds(86_400)) / .milliseconds(1)))
        while true {
            let (part, hasRoom, end) = state.withLock { state in Self.take(&state, lowMark) }
            if hasRoom { onRoom() }
            if let part { return part }
            if let end {
                try end.get()
                return nil
            }
            guard arrivals.wait(timeout: deadline) == .success else {
                throw RPCStatus(.deadlineExceeded, "the client has not sent the rest of the request in time")
            }
        }
    }

    private static func take(_ state: inout State, _ lowMark: Int) -> (ByteSlice?, hasRoom: Bool, Result<Void, RPCStatus>?) {
        if case .failure? = state.end { return (nil, false, state.end) }
        if state.next.isEmpty {
            state.next = state.later.reversed()
            state.later = []
        }
        guard let part = state.next.popLast() else { return (nil, false, state.end) }
        state.count -= part.count
        let hasRoom = state.isFull && state.count <= lowMark
        if hasRoom { state.isFull = false }
        return (part, hasRoom, nil)
    }

    // MARK: Arriving

    /// The number of bytes that were not read.
    var count: Int { state.withLock { $0.count } }

    /// Returns whether the peer has to wait, until `onRoom` is called.
    func append(_ part: ByteSlice) -> Bool {
        let isFull = state.withLock { state in
            guard !state.isClosed, state.end == nil else { return false }
            state.later.append(part)
            state.count += part.count
            if state.count > highMark { state.isFull = true }
            return state.isFull
        }
        arrivals.signal()
        return isFull
    }

    /// The request is complete.
    func finish() { end(.success(())) }

    /// The peer has gone before the request was complete.
    func fail(_ reason: RPCStatus) { end(.failure(reason)) }

    private func end(_ result: Result<Void, RPCStatus>) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = result
            if case .failure = result { Self.empty(&state) }
        }
        arrivals.signal()
    }

    /// The request is answered: what else arrives of it is dropped. Returns whether the peer was waiting.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = true
            let wasFull = state.isFull
            Self.empty(&state)
            return wasFull
        }
    }

    private static func empty(_ state: inout State) {
        state.next = []
        state.later = []
        state.count = 0
        state.isFull = false
    }
}
