// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// `grpc.health.v1.Health`: whether the server accepts calls, for load balancers and orchestrators that use gRPC.
///
/// Reports the server as a whole, under the empty name, and the service `google.firestore.v1.Firestore`. Both are serving until the
/// server begins to stop; a node of a cluster is not while it has no lease.
package final class HealthService: RPCService {
    private struct State {
        var isServing = true
        var watchers: [ObjectIdentifier: HealthWatcher] = [:]
        /// Whether the watchers are notified of changes that are not announced.
        var isLooking = false
    }

    package static let checkPath = "/grpc.health.v1.Health/Check"
    package static let watchPath = "/grpc.health.v1.Health/Watch"

    private let state = Mutex(State())
    private let maximumWatchers: Int
    private let isReady: (@Sendable () -> Bool)?
    private let pause: Duration

    /// At most `maximumWatchers` streams watch at a time; further ones are rejected. `isReady` is asked by each `Check`, and after each
    /// pause for those that watch; nil for a server that is always ready.
    package init(maximumWatchers: Int = 1_000, isReady: (@Sendable () -> Bool)? = nil, pause: Duration = .milliseconds(500)) {
        self.maximumWatchers = maximumWatchers
        self.isReady = isReady
        self.pause = pause
    }

    package func method(at path: String) -> RPCMethod? {
        switch path {
        case Self.checkPath: .unary { calls in for call in calls { self.check(call) } }
        case Self.watchPath: .stream { HealthWatcher($0, self) }
        default: nil
        }
    }

    /// Notifies the watchers, and later callers, that the server is about to stop.
    package func stopServing() {
        let watchers = state.withLock { state in
            state.isServing = false
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.tell(.notServing, isLast: true) }
    }

    private func check(_ call: any RPCUnaryCall) {
        do throws(FirestoreError) {
            let status = status(of: try HealthCheckRequest(decoding: call.request))
            guard status != .serviceUnknown else {
                throw FirestoreError(.notFound, "this server has only the service \(FirestoreMethod.service)")
            }
            call.respond(with: HealthCheckResponse(status: status))
        } catch {
            call.fail(error)
        }
    }

    fileprivate func status(of request: HealthCheckRequest) -> HealthCheckResponse.Status {
        guard request.service.utf8.isEmpty || equalUTF8(request.service, FirestoreMethod.service) else { return .serviceUnknown }
        return state.withLock { $0.isServing } && isReady?() ?? true ? .serving : .notServing
    }

    fileprivate func add(_ watcher: HealthWatcher) throws(FirestoreError) {
        let maximum = maximumWatchers
        let isAdmitted = state.withLock { state in
            guard state.watchers.count < maximum else { return false }
            state.watchers[ObjectIdentifier(watcher)] = watcher
            return true
        }
        if isAdmitted { lookRepeatedly() }
        guard isAdmitted else {
            throw FirestoreError(.resourceExhausted, "\(maximum) streams watch the health of this server, which is the most it takes")
        }
    }

    /// Reports changes of readiness, as long as there are watchers.
    private func lookRepeatedly() {
        guard let isReady else { return }
        let begins = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard begins else { return }
        Task { [weak self, pause] in
            while (try? await Task.sleep(for: pause)) != nil, let watchers = self?.watched {
                let status: HealthCheckResponse.Status = isReady() ? .serving : .notServing
                for watcher in watchers { watcher.tell(status) }
            }
        }
    }

    /// nil ends the looks: there is nothing to report any more.
    private var watched: [HealthWatcher]? {
        state.withLock { state in
            if state.isServing, !state.watchers.isEmpty { return Array(state.watchers.values) }
            state.isLooking = false
            return nil
        }
    }

    fileprivate func remove(_ watcher: HealthWatcher) {
        _ = state.withLock { $0.watchers.removeValue(forKey: ObjectIdentifier(watcher)) }
    }
}

/// One `Watch`: reports the state of the requested service, and again when that changes.
private final class HealthWatcher: RPCStreamHandler {
    private struct State {
        var hasRequest = false
        /// A service that the server does not have is only reported as unknown.
        var isKnown = false
        var told: HealthCheckResponse.Status?
        /// A stopping server does not begin to serve again.
        var isLast = false
    }

    private let call: any RPCStreamCall
    private let health: HealthService
    private let state = Mutex(State())

    init(_ call: any RPCStreamCall, _ health: HealthService) {
        self.call = call
        self.health = health
    }

    func receive(_ message: ByteSlice) {
        let isFirst = state.withLock { state in
            defer { state.hasRequest = true }
            return !state.hasRequest
        }
        do throws(FirestoreError) {
            guard isFirst else { throw .invalidArgument("Watch takes one message, but received a second one") }
            let request = try HealthCheckRequest(decoding: message)
            try health.add(self)
            guard health.status(of: request) != .serviceUnknown else {
                return call.send(HealthCheckResponse(status: .serviceUnknown).encoded())
            }
            state.withLock { $0.isKnown = true }
            // Read after the registration: a change in between is reported by either or both, of which one is dropped.
            tell(health.status(of: request))
        } catch {
            health.remove(self)
            call.finish(RPCStatus(error))
        }
    }

    func tell(_ status: HealthCheckResponse.Status, isLast: Bool = false) {
        let isNews = state.withLock { state in
            guard state.isKnown, !state.isLast else { return false }
            state.isLast = isLast
            defer { state.told = status }
            return state.told != status
        }
        if isNews { call.send(HealthCheckResponse(status: status).encoded()) }
    }

    func halfClosed() {
        guard !state.withLock({ $0.hasRequest }) else { return }
        call.finish(RPCStatus(.invalidArgument, "Watch takes one message, but received none"))
    }

    func becameWritable() {}

    func ended(_ status: RPCStatus?) { health.remove(self) }

    func drain() {
        tell(.notServing, isLast: true)
        call.finish(RPCStatus(.unavailable, "the server is stopping"))
    }
}
