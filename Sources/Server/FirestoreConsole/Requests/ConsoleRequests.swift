// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
import FirestoreWire

/// The calls that the server has answered, for the console: the last thousand, and to pages that watch each as it ends.
///
/// While no page watches, only so many calls a second are recorded, and the others cost nothing but a look at a counter for each group of
/// calls: the last thousand of a server with a hundred thousand calls a second would cover ten milliseconds.
package final class ConsoleRequests: Sendable {
    package struct Settings: Sendable {
        /// Whether pages get requests with the values in them (`--console-values`).
        package var showsValues = false
        /// Whether decisions contain the values of expressions: in development, or with `showsValues`.
        package var explainsValues = false
        package var kept = 1_000
        /// Larger requests are not stored; their outline is.
        package var largestRequest = 16 << 10
        /// Calls that are recorded in a second: while no page watches, and while one does.
        package var perSecond = 1_000
        package var perSecondWatched = 10_000
        /// The bytes that wait for a page which reads slowly.
        package var waitingBytes = 1 << 20
        /// Whether pages are notified by a timer. Otherwise by calls of `tellPages`.
        package var setsTimer = true
        package var clock: any WallClock = SystemClock()
        /// Nanoseconds of a monotonic clock.
        package var now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

        package init() {}
    }

    /// The origin of a call.
    package enum Origin: Sendable {
        case app
        /// Not collected.
        case console
        /// The console's, as another caller.
        case consoleAs
    }

    private struct State {
        /// The oldest first, from `oldest` on.
        var ring: [ConsoleRequestRecord] = []
        var oldest = 0
        var lastID: UInt64 = 0
        var budget: ConsoleBudget
        /// The records to publish to pages.
        var fresh: [ConsoleRequestRecord] = []
        var pages: [ObjectIdentifier: ConsoleRequestPage] = [:]
        /// Calls that were left out since pages were last notified.
        var leftOut = 0
        var timer: (any DispatchSourceTimer)?
        var onDecision: (@Sendable (ConsoleRequestRecord) -> Void)?
    }

    /// Pages are notified at most this often: 100 ms.
    static let fold = DispatchTimeInterval.milliseconds(100)
    /// A long-lived stream is published at most once in 1 s.
    private static let pause: UInt64 = 1_000_000_000

    package let settings: Settings
    private let authentication: any CallAuthentication
    private let origin: @Sendable (RPCCallInfo) -> Origin
    private let state: Mutex<State>

    /// - Parameters:
    ///   - authentication: Identifies callers.
    ///   - origin: The origin of a call, by its headers. Called for each recorded call: must return quickly.
    package init(
        _ settings: Settings = Settings(), authentication: any CallAuthentication,
        origin: @escaping @Sendable (RPCCallInfo) -> Origin = { _ in .app }
    ) {
        self.settings = settings
        self.authentication = authentication
        self.origin = origin
        state = Mutex(State(budget: ConsoleBudget(settings.perSecond, at: settings.now())))
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    // MARK: Calls

    /// How many of a group of calls are recorded.
    func admit(_ count: Int) -> Int {
        let now = settings.now()
        return state.withLock { state in
            let room = state.budget.take(count, at: now)
            if room < count, !state.pages.isEmpty { state.leftOut += count - room }
            return room
        }
    }

    /// A row was left out for another reason than the budget.
    func leaveOut() { state.withLock { state in if !state.pages.isEmpty { state.leftOut += 1 } } }

    /// nil for the console's own calls.
    func begin(_ method: FirestoreMethod, _ transport: ServerMetrics.Transport, _ info: RPCCallInfo) -> ConsoleCallBegin? {
        let origin = origin(info)
        if case .console = origin { return nil }
        let isViewedAs = if case .consoleAs = origin { true } else { false }
        return ConsoleCallBegin(
            method: method, transport: transport, info: info, isViewedAs: isViewedAs, time: settings.clock.now(), began: settings.now())
    }

    /// Records a call that has ended, or a long-lived one that has begun.
    @discardableResult
    func keep(
        _ begin: ConsoleCallBegin, _ figures: ConsoleRequestRecord.Figures, _ request: ByteSlice?, _ outline: RequestOutline?
    ) -> ConsoleRequestRecord {
        let record = state.withLock { state in
            state.lastID += 1
            let record = ConsoleRequestRecord(id: state.lastID, begin, figures, request: request, outline: outline)
            if state.ring.count < settings.kept {
                state.ring.append(record)
            } else {
                state.ring[state.oldest] = record
                state.oldest = (state.oldest + 1) % settings.kept
            }
            return record
        }
        changed(record)
        return record
    }

    /// The bytes of a request to store, as a copy: they may be part of everything that a connection has read. The outline of a request that
    /// is too large is made immediately, which costs little beside the work of its call.
    func digest(_ message: ByteSlice, _ method: FirestoreMethod) -> (ByteSlice?, RequestOutline?) {
        guard message.count > settings.largestRequest else { return (message.withUnsafeBytes { ByteSlice(copying: $0) }, nil) }
        return (nil, RequestOutline(message, of: method, showsValues: settings.showsValues))
    }

    /// Publishes the record to pages again.
    func changed(_ record: ConsoleRequestRecord) {
        state.withLock { state in
            guard !state.pages.isEmpty, record.becomeFresh() else { return }
            state.fresh.append(record)
        }
        let figures = record.figures
        guard !figures.isOpen, record.decision == nil, figures.code == .permissionDenied || record.isViewedAs else { return }
        wantsDecision(record)
    }

    private func wantsDecision(_ record: ConsoleRequestRecord) { state.withLock { $0.onDecision }?(record) }

    /// `body` is called with each record whose decision is to be explained, on the thread of the call: it must return immediately.
    func onDecision(_ body: @escaping @Sendable (ConsoleRequestRecord) -> Void) { state.withLock { $0.onDecision = body } }

    // MARK: Looking

    /// The recorded calls, the oldest first.
    package var records: [ConsoleRequestRecord] {
        state.withLock { state in Array(state.ring[state.oldest...] + state.ring[..<state.oldest]) }
    }

    package func record(_ id: UInt64) -> ConsoleRequestRecord? { records.first { $0.id == id } }

    func caller(of record: ConsoleRequestRecord) -> RequestContext.Caller? {
        record.caller { info in
            guard let identity = try? authentication.identifyNow(info) else { return nil }
            return identity.caller
        }
    }

    /// A page begins to watch: it receives the recorded calls, those after `id` if it knows the others, and from then on each as it ends.
    ///
    /// - Parameter onNews: Called when the page has something to take, not again before it has taken it.
    package func watch(after id: UInt64? = nil, onNews: @escaping @Sendable () -> Void) -> ConsoleRequestPage {
        let page = ConsoleRequestPage(limit: settings.waitingBytes, onNews: onNews) { [weak self] in self?.remove($0) }
        for record in records where record.refresh(at: settings.now()) { changed(record) }
        let known = state.withLock { state -> [ConsoleRequestRecord] in
            state.pages[ObjectIdentifier(page)] = page
            if state.pages.count == 1 {
                state.budget.raise(to: settings.perSecondWatched)
                if settings.setsTimer { state.timer = startTimer() }
                for record in state.ring { record.forgetFresh() }
            }
            return Array(state.ring[state.oldest...] + state.ring[..<state.oldest])
        }
        // Rows of streams may have changed since they were sent to the page.
        let wanted = known.filter { record in id.map { record.id > $0 || record.method.isLasting } ?? true }
        page.addKept(wanted.map { self.entry($0) })
        return page
    }

    package var watcherCount: Int { state.withLock { $0.pages.count } }

    private func remove(_ page: ConsoleRequestPage) {
        let timer = state.withLock { state -> (any DispatchSourceTimer)? in
            state.pages[ObjectIdentifier(page)] = nil
            guard state.pages.isEmpty else { return nil }
            state.budget.lower(to: settings.perSecond)
            state.fresh = []
            state.leftOut = 0
            return state.timer.take()
        }
        timer?.cancel()
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + Self.fold, repeating: Self.fold, leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in self?.tellPages() }
        timer.resume()
        return timer
    }

    /// Publishes to pages the changes since the last time. Only here, and when a page begins to watch, are calls converted to JSON.
    package func tellPages() {
        let now = settings.now()
        for record in records where record.refresh(at: now) { changed(record) }
        let (fresh, pages, leftOut) = state.withLock { state in
            defer {
                state.fresh = []
                state.leftOut = 0
            }
            return (state.fresh, Array(state.pages.values), state.leftOut)
        }
        guard !fresh.isEmpty || leftOut > 0 else { return }
        var entries: [[UInt8]] = []
        var later: [ConsoleRequestRecord] = []
        for record in fresh {
            if record.isDue(at: now, pause: Self.pause) { entries.append(entry(record)) } else { later.append(record) }
        }
        if !later.isEmpty { state.withLock { [later] state in if !state.pages.isEmpty { state.fresh += later } } }
        for page in pages { page.add(entries, leftOut: leftOut) }
    }

    private func entry(_ record: ConsoleRequestRecord) -> [UInt8] {
        record.json(caller: caller(of: record), showsValues: settings.showsValues).bytes()
    }
}

/// A number of calls per second, of which a second's worth may come in one burst.
struct ConsoleBudget: Sendable {
    private var perSecond: Int
    private var left: Double
    private var last: UInt64

    init(_ perSecond: Int, at now: UInt64) {
        self.perSecond = perSecond
        left = Double(perSecond)
        last = now
    }

    /// Returns how many of a number may be taken.
    mutating func take(_ count: Int, at now: UInt64) -> Int {
        if now > last {
            left = min(Double(perSecond), left + Double(now - last) * Double(perSecond) / 1e9)
            last = now
        }
        let taken = min(count, Int(left))
        left -= Double(taken)
        return taken
    }

    mutating func raise(to perSecond: Int) {
        self.perSecond = perSecond
        left = Double(perSecond)
    }

    mutating func lower(to perSecond: Int) {
        self.perSecond = perSecond
        left = min(left, Double(perSecond))
    }
}

extension FirestoreMethod {
    /// Whether its calls are streams that last: shown by their writes or targets, from when these begin.
    var isLasting: Bool { self == .listen || self == .write }
}
