// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreRPC

/// The Listen streams of a server (LS-1 … LS-30), and the timer for the heartbeats of idle ones.
package final class ListenService: Sendable {
    private struct State {
        var handlers: [ObjectIdentifier: ListenHandler] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private let open: @Sendable (DatabaseID, RequestContext) async throws(FirestoreError) -> any DocumentService
    private let limits: ListenLimits
    private let tickInterval: DispatchTimeInterval?
    private let calm = CalmRunner()
    private let state = Mutex(State())

    /// `tickInterval`: an idle stream gets a heartbeat between two and three intervals after its last snapshot (LS-21). nil: ticks come
    /// from calls of `tick`.
    package init(
        limits: ListenLimits = ListenLimits(), tickInterval: Duration? = .seconds(15),
        open: @escaping @Sendable (DatabaseID, RequestContext) async throws(FirestoreError) -> any DocumentService
    ) {
        self.open = open
        self.limits = limits
        self.tickInterval = tickInterval.map { .milliseconds(Int($0 / .milliseconds(1))) }
    }

    /// Returns the handler of a new stream. Called on the connection's loop; does not block.
    func handler(for call: any RPCStreamCall, _ known: IdentifiedCall, _ figures: DocumentFigures? = nil) -> ListenHandler {
        let opening: ListenStream.Opening = { [open] (database) async throws(FirestoreError) in try await open(database, known.context) }
        let handler = ListenHandler(call, context: known.context, limits: limits, calm: calm, figures: figures, open: opening) {
            [weak self] in self?.forget($0)
        }
        state.withLock { state in
            state.handlers[ObjectIdentifier(handler)] = handler
            if state.timer == nil { state.timer = startTimer() }
        }
        return handler
    }

    /// Call it after a third of the time after which an idle stream gets its heartbeat.
    package func tick() { for handler in state.withLock({ Array($0.handlers.values) }) { handler.tick() } }

    private func forget(_ handler: ListenHandler) {
        state.withLock { state in
            state.handlers[ObjectIdentifier(handler)] = nil
            guard state.handlers.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func startTimer() -> (any DispatchSourceTimer)? {
        guard let tickInterval else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + tickInterval, repeating: tickInterval, leeway: .seconds(1))
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.resume()
        return timer
    }
}
