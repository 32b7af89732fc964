// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Which calls a server has seen, and which are still open there.
final class CallCounter: RPCObserver {
    private struct State {
        var started: [String: Int] = [:]
        var open: [String: Int] = [:]
        var connections = 0
    }

    private let state = Mutex(State())

    func connectionOpened() { state.withLock { $0.connections += 1 } }
    func connectionClosed() { state.withLock { $0.connections -= 1 } }

    func connectionRefused() {}
    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) {}

    func callStarted(_ path: String) {
        state.withLock { state in
            state.started[Self.method(path), default: 0] += 1
            state.open[Self.method(path), default: 0] += 1
        }
    }

    func callEnded(_ call: RPCCallRecord) { state.withLock { $0.open[Self.method(call.path), default: 0] -= 1 } }

    /// Method names are ASCII.
    private static func method(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    func started(_ method: String) -> Int { state.withLock { $0.started[method] ?? 0 } }
    func open(_ method: String) -> Int { state.withLock { $0.open[method] ?? 0 } }
    /// Calls of any method.
    var open: Int { state.withLock { $0.open.values.reduce(0, +) } }
    var connections: Int { state.withLock { $0.connections } }
}
