// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Collection of what was not used for the longest time (SY-152), in small steps between other work of the engine.
final class CollectionFeature: SyncFeature {
    private weak var engine: SyncEngine?
    /// The collection in progress.
    private var collection: CacheCollection?

    func attach(to engine: SyncEngine) {
        self.engine = engine
        collection = nil
    }

    func handle(_ event: SyncEvent) {
        switch event {
        case .started: startTimer(.seconds(60))
        case .stopped: collection = nil
        case .fired(.garbageCollection): begin()
        default: break
        }
    }

    private func startTimer(_ delay: Duration) {
        guard let engine, engine.settings.collectionThreshold != nil else { return }
        engine.timers.start(.garbageCollection, after: delay)
    }

    private func begin() {
        guard let engine, let threshold = engine.settings.collectionThreshold else { return }
        defer { startTimer(.seconds(300)) }
        // The process that has the streams knows which documents the views of all processes show.
        guard engine.store.ownsStreams, collection == nil else { return }
        step { () throws(FirestoreError) in try engine.store.beginCollection(threshold: threshold) }
    }

    /// Makes one step, which returns what is left to do, and the next one after what waits on the queue.
    private func step(_ work: () throws(FirestoreError) -> CacheCollection?) {
        do throws(FirestoreError) {
            collection = try work()
        } catch {
            engine?.settings.log("the cache could not be collected: \(error)")
            collection = nil
        }
        guard collection != nil else { return }
        engine?.post { engine in engine.feature(CollectionFeature.self)?.proceed() }
    }

    private func proceed() {
        // Another process may have the streams by now.
        guard let engine, var next = collection, engine.store.ownsStreams else { return collection = nil }
        step { () throws(FirestoreError) in
            guard next.isDone else {
                _ = try engine.store.collect(&next)
                return next
            }
            return try engine.store.shrink() ? nil : next
        }
    }
}

extension SyncTimer {
    package static let garbageCollection = SyncTimer("garbageCollection")
}

extension SyncSettings {
    private enum CollectionThreshold: SyncSettingKey { static let defaultValue: Int64? = nil }

    /// The size from which the cache is collected, in bytes; nil: never (SY-152).
    package var collectionThreshold: Int64? {
        get { self[CollectionThreshold.self] }
        set { self[CollectionThreshold.self] = newValue }
    }
}
