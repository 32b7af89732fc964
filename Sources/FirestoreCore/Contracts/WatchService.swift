// SPDX-License-Identifier: Apache-2.0

/// The role of a service that tells what changes.
package protocol WatchService: Sendable {
    /// Starts telling `sink` about a target. The sink gets the initial state, or what has changed since the state it
    /// knows, then every change in commit order, nothing missed and nothing twice, until the handle is cancelled.
    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle

    /// The moment up to which every watch of this caller has been told everything, once those calls have returned.
    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion

    /// Calls `body`, on the thread that tells this caller's watches, whenever all of them that a commit concerns have been
    /// told, and when one that starts has got its first state: with the moment up to which every one has been told
    /// everything. (A watch may know more: some later state had to be read for it.) Until the handle is cancelled.
    func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle
}

extension WatchService {
    /// Watches a target from its initial state.
    package func watch(_ target: WatchTarget, context: RequestContext, sink: any WatchSink) -> any WatchHandle {
        watch(target, from: nil, context: context, sink: sink)
    }
}

package enum WatchTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(StructuredQuery)
}

/// Told about a target by one thread at a time, in commit order.
package protocol WatchSink: Sendable {
    /// Must be quick: fold the batch into a view, schedule the delivery elsewhere, return.
    func receive(_ batch: WatchBatch)
    /// The target failed; nothing follows.
    func fail(_ error: FirestoreError)
}

package protocol WatchHandle: AnyObject, Sendable {
    /// Idempotent. A batch already on its way may still arrive.
    func cancel()
}
