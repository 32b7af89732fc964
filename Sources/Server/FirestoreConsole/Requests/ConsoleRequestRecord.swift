// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
package import FirestoreWire

/// One call that the console shows. It stores the bytes of the request: their description is made when a page asks for it.
package final class ConsoleRequestRecord: Sendable {
    struct Figures: Sendable {
        var code = FirestoreError.Code.ok
        var message = ""
        /// In nanoseconds.
        var duration: UInt64 = 0
        var documents = 0
        var received = 0
        var sent = 0
        /// Of a target of a Listen stream.
        var snapshots = 0
        /// Whether it lasts: a target, or a write without its answer.
        var isOpen = false
    }

    private struct State {
        var figures: Figures
        /// nil if it was too large to be stored.
        var request: ByteSlice?
        var outline: RequestOutline?
        var caller: RequestContext.Caller?
        var decision: JSON?
        /// In nanoseconds of the monotonic clock.
        var lastTold: UInt64?
        var isFresh = false
        /// Whether the counters have changed since pages were notified.
        var hasNews = false
    }

    package let id: UInt64
    /// Microseconds since 1970.
    let time: Int64
    package let method: FirestoreMethod
    let transport: ServerMetrics.Transport
    let info: RPCCallInfo
    let isViewedAs: Bool
    /// Nanoseconds of the monotonic clock.
    private let began: UInt64
    private let state: Mutex<State>

    init(id: UInt64, _ begin: ConsoleCallBegin, _ figures: Figures, request: ByteSlice?, outline: RequestOutline?) {
        self.id = id
        began = begin.began
        time = begin.time
        method = begin.method
        transport = begin.transport
        // The record outlives its connection, whose memory ends with it.
        var info = begin.info
        info.memory = nil
        self.info = info
        isViewedAs = begin.isViewedAs
        var figures = figures
        figures.message = Self.kept(figures.message)
        state = Mutex(State(figures: figures, request: request, outline: outline))
    }

    /// The stored part of a message: it may quote a client's data, of any length.
    private static func kept(_ message: String) -> String { String(decoding: message.utf8.prefix(2_000), as: UTF8.self) }

    /// The time since the call began; 0 if it began after `now` was read.
    private func elapsed(at now: UInt64) -> UInt64 { now > began ? now - began : 0 }

    var figures: Figures { state.withLock { $0.figures } }

    /// Changes the numbers of a long-lived call.
    func update(_ body: (inout Figures) -> Void) {
        state.withLock { state in
            guard state.figures.isOpen else { return }
            body(&state.figures)
            state.hasNews = true
        }
    }

    /// Ends a call that lasts. Returns false if it had ended before.
    func end(_ code: FirestoreError.Code, _ message: String, at now: UInt64) -> Bool {
        state.withLock { state in
            guard state.figures.isOpen else { return false }
            state.figures.isOpen = false
            (state.figures.code, state.figures.message, state.figures.duration) = (code, Self.kept(message), elapsed(at: now))
            return true
        }
    }

    /// Brings the duration of a call that lasts up to date. Returns whether it has changed since the last time.
    func refresh(at now: UInt64) -> Bool {
        state.withLock { state in
            guard state.figures.isOpen else { return false }
            state.figures.duration = elapsed(at: now)
            defer { state.hasNews = false }
            return state.hasNews
        }
    }

    /// The request, if it is stored: of a row of a stream the message that began it.
    var request: ByteSlice? { state.withLock { $0.request } }

    var decision: JSON? { state.withLock { $0.decision } }

    func set(decision: JSON) { state.withLock { $0.decision = decision } }

    /// An outline of the request.
    func outline(showsValues: Bool) -> RequestOutline {
        state.withLock { state in
            if let outline = state.outline { return outline }
            let outline = RequestOutline(state.request ?? .empty, of: method, showsValues: showsValues)
            state.outline = outline
            return outline
        }
    }

    /// The caller, identified at the first access.
    func caller(_ identify: (RPCCallInfo) -> RequestContext.Caller?) -> RequestContext.Caller? {
        if let known = state.withLock({ $0.caller }) { return known }
        guard let caller = identify(info) else { return nil }
        state.withLock { $0.caller = caller }
        return caller
    }

    // MARK: Publishing

    /// Returns whether the record was not among those to publish.
    func becomeFresh() -> Bool {
        state.withLock { state in
            defer { state.isFresh = true }
            return !state.isFresh
        }
    }

    /// The pages that were to receive the record have gone.
    func forgetFresh() { state.withLock { $0.isFresh = false } }

    /// Whether to publish now: immediately for new and finished calls, otherwise at most once per `pause`.
    func isDue(at now: UInt64, pause: UInt64) -> Bool {
        state.withLock { state in
            if let last = state.lastTold, state.figures.isOpen, now < last + pause { return false }
            state.lastTold = now
            state.isFresh = false
            return true
        }
    }
}

/// The properties of a call that are known when it begins.
struct ConsoleCallBegin: Sendable {
    let method: FirestoreMethod
    let transport: ServerMetrics.Transport
    let info: RPCCallInfo
    let isViewedAs: Bool
    /// Microseconds since 1970.
    let time: Int64
    /// Nanoseconds of the monotonic clock.
    let began: UInt64

    /// Returns the beginning of a part of the stream, which a message begins at another moment.
    func part(time: Int64, began: UInt64) -> ConsoleCallBegin {
        ConsoleCallBegin(method: method, transport: transport, info: info, isViewedAs: isViewedAs, time: time, began: began)
    }
}
