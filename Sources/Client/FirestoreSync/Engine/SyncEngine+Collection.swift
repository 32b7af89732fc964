// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Collection of what was not used for the longest time (SY-152), in small steps between other work of the engine.
extension SyncEngine {
    func collectGarbage() {
        guard let threshold = settings.collectionThreshold else { return }
        defer { timers.start(.garbageCollection, after: .seconds(300)) }
        // The leader knows which documents the views of all processes show.
        guard !store.isFollower, collection == nil else { return }
        collecting { () throws(FirestoreError) in try store.beginCollection(threshold: threshold) }
    }

    /// Makes one step, which returns what is left to do, and the next one after what waits on the queue.
    private func collecting(_ step: () throws(FirestoreError) -> CacheCollection?) {
        do throws(FirestoreError) {
            collection = try step()
        } catch {
            settings.log("the cache could not be collected: \(error)")
            collection = nil
        }
        guard collection != nil else { return }
        streams.post { engine in engine.continueCollection() }
    }

    private func continueCollection() {
        // Another process may have become the leader.
        guard var next = collection, !isShutDown, !store.isFollower else { return collection = nil }
        collecting { () throws(FirestoreError) in
            guard next.isDone else {
                _ = try store.collect(&next)
                return next
            }
            return try store.shrink() ? nil : next
        }
    }
}
