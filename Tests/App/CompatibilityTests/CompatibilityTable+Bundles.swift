// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    /// api.md 10.
    static func bundles() -> CompatibilitySection {
        var section = CompatibilitySection("10", "Bundles and index manager")
        section.row(.full, "LoadBundleTask.addObserver(_ observer: @escaping (LoadBundleTaskProgress) -> Void) -> LoadBundleObserverHandle", only: .bundles) { here in
            let task = here.loading()
            let told = Collector<LoadBundleTaskProgress>()
            let handle: LoadBundleObserverHandle = task.addObserver { told.append($0) }
            let steps = await told.elements { $0.last?.state == .success }
            task.removeObserverWith(handle: handle)
            return steps.last?.documentsLoaded == 1
        }
        section.row(.full, "typealias LoadBundleObserverHandle = Int") { _ in
            let handle: LoadBundleObserverHandle = 5
            let number: Int = handle
            return number == 5
        }
        section.row(.full, "LoadBundleTask.removeObserverWith(handle: LoadBundleObserverHandle)", only: .bundles) { here in
            let task = here.loading()
            let (told, other) = (Collector<Bool>(), Collector<Bool>())
            let removed = task.addObserver { _ in told.append(true) }
            task.removeObserverWith(handle: removed)
            task.addObserver { other.append($0.state == .success) }
            _ = await other.elements { $0.last == true }
            let late = task.addObserver { _ in told.append(true) }
            task.removeObserverWith(handle: late)
            return removed != late
        }
        section.row(.full, "LoadBundleTask.removeAllObservers()", only: .bundles) { here in
            let task = here.loading()
            _ = await here.lastState(of: task)
            task.removeAllObservers()
            return await here.lastState(of: task) == .success
        }
        section.row(.full, "LoadBundleTaskProgress: documentsLoaded, totalDocuments, bytesLoaded, totalBytes: Int { get }", only: .bundles) { here in
            let progress = try await here.db.loadBundle(here.bundle())
            let numbers: [Int] = [progress.documentsLoaded, progress.totalDocuments, progress.bytesLoaded, progress.totalBytes]
            return numbers[0] == 1 && numbers[1] == 1 && numbers[2] > 100 && numbers[2] == numbers[3]
        }
        section.row(.full, "LoadBundleTaskProgress.state: LoadBundleTaskState { get }", only: .bundles) { here in
            let state: LoadBundleTaskState = try await here.db.loadBundle(here.bundle()).state
            return state == .success
        }
        section.row(.full, "enum LoadBundleTaskState : Int { case error = 0, inProgress = 1, success = 2 }") { _ in
            [LoadBundleTaskState.error, .inProgress, .success].map(\.rawValue) == [0, 1, 2]
        }
        section.row(.full, "PersistentCacheIndexManager.enableIndexAutoCreation()", differs: "the default: the embedded database creates the indexes its queries need", only: .indexes) { _ in
            let db = Scratch.firestore()
            db.persistentCacheIndexManager?.enableIndexAutoCreation()
            try await db.waitForIndexes()
            return db.persistentCacheIndexManager != nil
        }
        section.row(.full, "PersistentCacheIndexManager.disableIndexAutoCreation()", differs: "only configured indexes are created; queries are correct without them", only: .indexes) { _ in
            let db = Scratch.firestore()
            db.persistentCacheIndexManager?.disableIndexAutoCreation()
            try await db.document("a/b").setData(["n": 1])
            let count = try await db.collection("a").whereField("n", isEqualTo: 1).getDocuments().count
            return db.persistentCacheIndexManager != nil && count == 1
        }
        section.row(.full, "PersistentCacheIndexManager.deleteAllIndexes()", differs: "drops the configured ones too", only: .indexes) { _ in
            let db = Scratch.firestore()
            try await db.setIndexConfiguration(
                #"{"indexes":[{"collectionGroup":"towns","queryScope":"COLLECTION","fields":[{"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"m","order":"ASCENDING"}]}]}"#)
            let before = try await db.indexConfiguration()
            db.persistentCacheIndexManager?.deleteAllIndexes()
            let after = try await db.indexConfiguration()
            return before.contains("towns") && !after.contains("towns")
        }
        return section
    }
}
