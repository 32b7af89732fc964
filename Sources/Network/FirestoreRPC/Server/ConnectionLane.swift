// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// The requests of one connection that are complete, and the threads that run them.
///
/// A turn takes a few requests; then it is another connection's turn. A request whose caller has gone is not run, and none is while the
/// connection holds more than it may.
final class ConnectionLane: Sendable {
    /// Requests that were read together.
    enum Job: Sendable {
        /// Calls of one method.
        case calls(path: String, run: @Sendable ([any RPCUnaryCall]) -> Void, ArraySlice<UnaryServerStream>)
        case exchange(HTTPServerStream)
    }

    private struct State {
        var jobs: CircularBuffer<Job> = []
        /// Whether a turn is taken, or waited for, on whatever thread.
        var isBusy = false
        var isParked = false
        var isClosed = false
        /// The size of the last answers. The first requests of a connection are few, until it is known.
        var answer = 1 << 20
    }

    /// Requests that are run together at most: a service reads for them in one go.
    static let together = 16
    /// A turn ends with the requests during which this time has passed.
    private static let turn = TimeAmount.milliseconds(1)
    /// Requests are run together whose answers take about so many bytes.
    private static let bytesTogether = 2 << 20

    private let account: ConnectionAccount
    private let http: (any HTTPService)?
    private let runOffLoop: OffLoop
    private let state = Mutex(State())

    init(_ account: ConnectionAccount, http: (any HTTPService)?, runOffLoop: @escaping OffLoop) {
        self.account = account
        self.http = http
        self.runOffLoop = runOffLoop
    }

    func submit(_ jobs: [Job]) {
        let starts = state.withLock { state in
            guard !state.isClosed else { return false }
            state.jobs.append(contentsOf: jobs)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if starts { runOffLoop { self.takeTurn() } }
    }

    /// There may be room again. Returns whether requests still wait for it.
    private func goOn() {
        let starts = state.withLock { state in
            guard state.isParked, !state.isClosed else { return false }
            state.isParked = false
            return true
        }
        if starts { runOffLoop { self.takeTurn() } }
    }

    /// The connection has ended: what was not begun is not run.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.jobs = []
        }
    }

    // MARK: Turns

    private func takeTurn() {
        let end = NIODeadline.now() + Self.turn
        while let job = next() {
            switch job {
            case .calls(_, let run, let calls):
                let wanted = calls.filter { $0.begin() }
                guard !wanted.isEmpty else { continue }
                // Other connections see what is about to be held.
                let presumed = state.withLock { $0.answer } * wanted.count
                account.budget.presume(presumed)
                let before = account.made
                run(wanted)
                let size = (account.made - before) / wanted.count
                account.budget.presume(-presumed)
                state.withLock { $0.answer = size }
            case .exchange(let exchange): if exchange.begin() { http?.handle(exchange) }
            }
            guard NIODeadline.now() < end else { return runOffLoop { self.takeTurn() } }
        }
    }

    /// What is run next; nil, and from then on another turn has to be asked for, if there is nothing or no room.
    private func next() -> Job? {
        let room = account.room
        let hasRoom = account.hasRoom
        let (job, parks) = state.withLock { state -> (Job?, Bool) in
            guard !state.isClosed, let first = state.jobs.first else {
                state.isBusy = false
                return (nil, false)
            }
            guard hasRoom else {
                state.isParked = true
                return (nil, true)
            }
            let most = max(1, min(Self.together, min(room, Self.bytesTogether) / max(1, state.answer)))
            guard case .calls(let path, let run, let calls) = first, calls.count > most else { return (state.jobs.removeFirst(), false) }
            state.jobs[state.jobs.startIndex] = .calls(path: path, run: run, calls.dropFirst(most))
            return (.calls(path: path, run: run, calls.prefix(most)), false)
        }
        if parks { _ = account.wait(for: 0) { [weak self] in if $0 { self?.goOn() } } }
        return job
    }
}

/// The requests that were read in this turn of the loop.
struct ReadRequests {
    private var jobs: [ConnectionLane.Job] = []

    mutating func append(_ stream: UnaryServerStream, _ run: @escaping @Sendable ([any RPCUnaryCall]) -> Void) {
        let path = stream.info.path
        for index in jobs.indices {
            guard case .calls(let known, let run, var calls) = jobs[index], known == path else { continue }
            // Nothing else may hold the calls while they change, or they would be copied.
            jobs[index] = .calls(path: known, run: run, [])
            calls.append(stream)
            jobs[index] = .calls(path: known, run: run, calls)
            return
        }
        jobs.append(.calls(path: path, run: run, [stream]))
    }

    mutating func append(_ exchange: HTTPServerStream) { jobs.append(.exchange(exchange)) }

    mutating func removeAll() { jobs = [] }

    /// Hands over everything that was read together.
    mutating func sendOut(to lane: ConnectionLane) {
        guard !jobs.isEmpty else { return }
        let jobs = jobs
        self.jobs.removeAll(keepingCapacity: true)
        lane.submit(jobs)
    }
}
