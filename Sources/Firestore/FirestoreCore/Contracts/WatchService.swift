// SPDX-License-Identifier: Apache-2.0

/// The role of a service that reports changes.
package protocol WatchService: Sendable {
    /// Starts reporting a target to `sink`. The sink receives the initial state, or the changes since the state it knows,
    /// then every change in commit order, each exactly once, until the handle is cancelled.
    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle

    /// The time up to which every watch of this caller has received everything, after those calls have returned.
    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion

    /// Calls `body` each time all watches of this caller affected by a commit have received it, and when a new watch has
    /// received its first state, on the thread that calls the watches. The argument is the time up to which every watch has
    /// received everything. (A watch may be ahead, if a later state had to be read for it.) Ends when the handle is cancelled.
    func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle

    /// Calls `body`, on any thread, once the watches have received every commit that was acknowledged before the call. Bodies are called in
    /// the order of the calls. A service that acknowledges without regard to its watches calls it immediately.
    func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void)
}

extension WatchService {
    package func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) { body() }

    /// Watches a target from its initial state.
    package func watch(_ target: WatchTarget, context: RequestContext, sink: any WatchSink) -> any WatchHandle {
        watch(target, from: nil, context: context, sink: sink)
    }
}

package enum WatchTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(StructuredQuery)
}

/// Receives the changes of a target, on one thread at a time, in commit order.
package protocol WatchSink: Sendable {
    /// Must return quickly: merge the batch into a view and schedule the delivery elsewhere.
    func receive(_ batch: WatchBatch)
    /// The target has failed; nothing follows.
    func fail(_ error: FirestoreError)
}

package protocol WatchHandle: AnyObject, Sendable {
    /// Idempotent. A batch that is already in flight may still arrive.
    func cancel()
}
