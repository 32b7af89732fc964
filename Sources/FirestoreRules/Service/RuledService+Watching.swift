// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RuledService {
    package func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        guard !context.isAdministrator || callerMayChange else {
            return service.watch(target, from: resumption, context: context, sink: sink)
        }
        let watch = RuledWatch(target, from: resumption, context: context, sink: sink, of: self)
        watches.add(watch)
        enforcement.watches.add(watch)
        watch.start()
        return watch
    }

    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        let time = try await service.watchTime(context: context)
        await withCheckedContinuation { continuation in
            deliveries.afterArrived { continuation.resume() }
        }
        return time
    }

    package func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) {
        service.afterWatches(context: context) { [deliveries] in deliveries.afterArrived(body) }
    }

    package func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        let rounds = RoundsHandle()
        let handle = service.watchRounds(context: context) { [deliveries] time in
            deliveries.afterArrived { if !rounds.isCancelled { body(time) } }
        }
        rounds.attach(handle)
        return rounds
    }

    /// Judges the listeners of this session again, for a caller whose token has changed or ended.
    package func judgeListeners(as caller: RequestContext.Caller) {
        for watch in watches.all { watch.judgeAgain(as: caller) }
    }
}

/// The handle of an observer of rounds whose calls may wait.
private final class RoundsHandle: WatchHandle {
    private struct State {
        var handle: (any WatchHandle)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func attach(_ handle: any WatchHandle) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.handle = handle }
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

    func cancel() {
        let handle = state.withLock { state in
            state.isCancelled = true
            defer { state.handle = nil }
            return state.handle
        }
        handle?.cancel()
    }
}
