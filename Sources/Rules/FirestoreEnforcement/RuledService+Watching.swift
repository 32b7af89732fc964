// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules

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
        let rounds = DeferredWatchHandle()
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
