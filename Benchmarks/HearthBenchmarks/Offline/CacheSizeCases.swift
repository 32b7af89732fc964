// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSync
import FirestoreTesting
import FirestoreWire
import Foundation

/// What a large cache costs: bytes on the disk and in memory, and the pause when it is collected.
enum CacheSizeCases {
    static var all: [BenchmarkCase] { [size, collection] }

    private static var size: BenchmarkCase {
        let name = "cache of 100,000 documents of 1 KB"
        return BenchmarkCase(figuresOf: name) {
            let few = try await measure(10_000)
            let many = try await measure(100_000)
            return [
                .atMost(1.4, "\(name): file, for each document", many.bytes / 1_000, "kB"),
                .figure("cache of 10,000 documents of 1 KB: file, for each document", few.bytes / 1_000, "kB"),
                BenchmarkResult(
                    name: "\(name): resident after 200 queries", value: many.megabytes, unit: "MB", peerName: "of 10,000",
                    peerValue: few.megabytes, ratio: few.megabytes / many.megabytes, goal: 0.8),
            ]
        }
    }

    private static func measure(_ count: Int) async throws -> (bytes: Double, megabytes: Double) {
        let collection = TestNetwork().firestore().collection("coll")
        let cache = try await FilledCache.make(
            documents: count, indexedFor: [try CacheProbe.query(collection, 7).runnable.get()])
        let bytes = try cache.byteCount / Double(count)
        let megabytes = try CacheProbe.measure(cache)
        try cache.remove()
        return (bytes, megabytes)
    }

    /// The question: does the app stand still while the cache evicts documents?
    private static var collection: BenchmarkCase {
        let name = "collection of 10,000 of 100,000 documents, durable"
        return BenchmarkCase(figuresOf: name) {
            let cache = try await FilledCache.make(documents: 0)
            let store = try cache.open()
            // A thousand queries were listened to, one after the other.
            var version: Int64 = 1_000_000
            for group in 0..<1_000 {
                version += 1
                let query = StructuredQuery(
                    scope: .collection(FilledCache.collection),
                    filter: .field(FieldPathSegments(["group"]), .equal, ValueBytes(.integer(Int64(group)))))
                let target = try store.allocate(.query(query))
                let documents = (group * 100..<(group + 1) * 100).map { FilledCache.document($0, of: 100_000, at: version) }
                let delta = TargetDelta(
                    resumeToken: ByteSlice([1]), isCurrent: true, added: Set(documents.map(\.key)))
                _ = try store.apply(
                    RemoteEvent(
                        snapshotVersion: DocumentVersion(microseconds: version), targetChanges: [target.targetID: delta],
                        documents: documents.map { RemoteDocument($0) }))
                try store.release(target.targetID)
            }
            var (documents, total, longest) = (0, 0.0, 0.0)
            /// Each step is a pause of the engine.
            func step<R>(_ body: () throws -> R) throws -> R {
                var result: R?
                let seconds = try Measured.seconds { result = try body() }
                total += seconds
                longest = max(longest, seconds)
                guard let result else { throw BenchmarkFailure("a step had no result") }
                return result
            }
            while documents < 10_000 {
                guard var collection = try step({ try store.beginCollection(threshold: 0) }) else { break }
                while try !step({ try store.collect(&collection) }) {}
                while try !step({ try store.shrink() }) {}
                guard collection.collected.documents > 0 else { throw BenchmarkFailure("only \(documents) documents were dropped") }
                documents += collection.collected.documents
            }
            try store.close()
            try cache.remove()
            return [
                .figure(name, total * 1e3, "ms"),
                .atMost(10, "\(name): longest pause", longest * 1e3, "ms"),
            ]
        }
    }
}

/// A new process that uses a cache: how much memory.
enum CacheProbe {
    static func query(_ collection: CollectionReference, _ group: Int) -> Query {
        collection.whereField("grp", isEqualTo: group).order(by: "n").limit(to: 100)
    }

    /// In the child.
    static func run(_ path: String) async throws {
        let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.bench.callbacks"))
        let firestore = network.firestore(cache: .file(URL(fileURLWithPath: path)))
        try await firestore.disableNetwork()
        var found = 0
        for number in 0..<200 {
            found += try await query(firestore.collection("coll"), number % 100).getDocuments(source: .cache).count
        }
        print("\(found) \(OpenProbe.residentKibibytes())")
        try await firestore.terminate()
    }

    /// In the parent.
    static func measure(_ cache: FilledCache) throws -> Double {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        child.arguments = ["--probe-cache", cache.path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 2, numbers[0] == 20_000 else { throw BenchmarkFailure("the probe said \(text)") }
        return numbers[1] / 1_024
    }
}
