// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
package import FirestoreWire

/// One call that the console shows. It keeps the bytes of the request: what is shown of them is made when a page asks.
package final class ConsoleRequestRecord: Sendable {
    /// A target of a Listen stream.
    struct Target: Sendable {
        let id: Int32
        var path: String
        var snapshots = 0
        var documents = 0
        /// Whether something has arrived since the last snapshot.
        var hasNews = true
    }

    struct Figures: Sendable {
        var code = FirestoreError.Code.ok
        var message = ""
        /// In nanoseconds.
        var duration: UInt64 = 0
        var documents = 0
        var received = 0
        var sent = 0
        var isOpen = false
        var targets: [Target] = []
    }

    private struct State {
        var figures: Figures
        /// nil if it was too large to be kept.
        var request: ByteSlice?
        var outline: RequestOutline?
        var caller: RequestContext.Caller?
        var decision: JSON?
        /// In nanoseconds of the monotonic clock.
        var lastTold: UInt64?
        var isFresh = false
    }

    package let id: UInt64
    /// Microseconds since 1970.
    let time: Int64
    package let method: FirestoreMethod
    let transport: ServerMetrics.Transport
    let info: RPCCallInfo
    let isViewedAs: Bool
    private let state: Mutex<State>
    /// What has become of a call that lasts; nil when it is gone.
    private let current: @Sendable () -> Figures?

    init(
        id: UInt64, _ begin: ConsoleCallBegin, _ figures: Figures, request: ByteSlice?, outline: RequestOutline?,
        current: @escaping @Sendable () -> Figures? = { nil }
    ) {
        self.current = current
        self.id = id
        time = begin.time
        method = begin.method
        transport = begin.transport
        info = begin.info
        isViewedAs = begin.isViewedAs
        state = Mutex(State(figures: figures, request: request, outline: outline))
    }

    var figures: Figures { state.withLock { $0.figures } }

    /// Takes over what has become of a call that lasts. Returns whether anything has.
    func refresh() -> Bool {
        guard figures.isOpen, let latest = current() else { return false }
        return state.withLock { state in
            guard state.figures.isOpen else { return false }
            let hasChanged = latest.sent != state.figures.sent || latest.received != state.figures.received
            state.figures = latest
            return hasChanged
        }
    }

    /// The request, if it is kept; of a stream that lasts the first one that is about documents.
    var request: ByteSlice? { state.withLock { $0.request } }

    var decision: JSON? { state.withLock { $0.decision } }

    func set(decision: JSON) { state.withLock { $0.decision = decision } }

    func set(_ figures: Figures, request: ByteSlice?, outline: RequestOutline?) {
        state.withLock { state in
            state.figures = figures
            state.request = request ?? state.request
            state.outline = outline ?? state.outline
        }
    }

    /// What the request is about.
    func outline(showsValues: Bool) -> RequestOutline {
        state.withLock { state in
            if let outline = state.outline { return outline }
            let outline = RequestOutline(state.request ?? .empty, of: method, showsValues: showsValues)
            state.outline = outline
            return outline
        }
    }

    /// Who called, found out when it is first asked.
    func caller(_ identify: (RPCCallInfo) -> RequestContext.Caller?) -> RequestContext.Caller? {
        if let known = state.withLock({ $0.caller }) { return known }
        guard let caller = identify(info) else { return nil }
        state.withLock { $0.caller = caller }
        return caller
    }

    // MARK: Telling

    /// Returns whether the record was not among those to be told.
    func becomeFresh() -> Bool {
        state.withLock { state in
            defer { state.isFresh = true }
            return !state.isFresh
        }
    }

    /// The pages that were to be told have gone.
    func forgetFresh() { state.withLock { $0.isFresh = false } }

    /// Whether it is told now: at once when it is new or has ended, else at most once in `pause`.
    func isDue(at now: UInt64, pause: UInt64) -> Bool {
        state.withLock { state in
            if let last = state.lastTold, state.figures.isOpen, now < last + pause { return false }
            state.lastTold = now
            state.isFresh = false
            return true
        }
    }
}

/// What is known when a call begins.
struct ConsoleCallBegin: Sendable {
    let method: FirestoreMethod
    let transport: ServerMetrics.Transport
    let info: RPCCallInfo
    let isViewedAs: Bool
    /// Microseconds since 1970.
    let time: Int64
    /// Nanoseconds of the monotonic clock.
    let began: UInt64
}
