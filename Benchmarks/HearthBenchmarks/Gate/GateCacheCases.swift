// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import Foundation

/// The path through a client's cache, which needs one thread.
enum GateCacheCases {
    static var write: BenchmarkCase {
        BenchmarkCase("cache: a write of 1 KB, stored and acknowledged") {
            let folder = try BenchmarkDirectory.make()
            let path = folder.appendingPathComponent("cache.sqlite").path
            let store = try LocalStore.open(
                LocalStore.Configuration(
                    location: .file(path: path), databaseID: GateCases.database, server: "gate",
                    clock: ManualClock(microseconds: GateCases.time.microseconds)))
            let writes = GateCases.changes
            var version = GateCases.time
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for number in 0..<operations {
                        guard let stored = try store.write([[writes[number % writes.count]]]).first else {
                            throw BenchmarkFailure("the cache has not stored a write")
                        }
                        version = DocumentVersion(microseconds: version.microseconds + 1)
                        let answer = AnsweredBatch(stored.batch, at: version, results: [WriteResult(updateTime: version)])
                        _ = try store.acknowledge([answer], waitsForDisk: false)
                    }
                },
                tearDown: {
                    try store.close()
                    try BenchmarkDirectory.remove(folder)
                })
        }
    }
}
