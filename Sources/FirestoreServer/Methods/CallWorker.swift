#if Remote
import Dispatch
import FirestoreCore

/// Does short pieces of work off the connections' loops: what has gathered while one is at work costs no further hop.
final class CallWorker: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
    }

    private let threads: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.calls", qos: .userInitiated, attributes: .concurrent)

    init(threads: Int) { self.threads = max(1, threads) }

    func run(_ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(work)
            guard state.running < threads else { return false }
            state.running += 1
            return true
        }
        if needsThread { queue.async { self.runAll() } }
    }

    private func runAll() {
        while true {
            let batch = state.withLock { state -> [@Sendable () -> Void] in
                if state.waiting.isEmpty { state.running -= 1 }
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            for work in batch { work() }
        }
    }
}
#endif
