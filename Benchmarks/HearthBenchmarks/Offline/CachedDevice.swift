// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreTesting
import Foundation

/// A device as an app has it: the public API over a cache in a file, behind a network that can be cut.
struct CachedDevice {
    let directory: URL
    let network: TestNetwork
    let firestore: Firestore

    var collection: CollectionReference { firestore.collection("coll") }

    /// With a cache that was made before, in a separate directory, or with an empty one.
    init(durability: FirestoreSettings.Durability = .full, cache: FilledCache? = nil) throws {
        directory = try cache?.directory ?? BenchmarkDirectory.make()
        network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.bench.callbacks"))
        firestore = network.firestore(cache: .file(directory.appendingPathComponent(FilledCache.name)))
        let settings = firestore.settings
        settings.durability = durability
        firestore.settings = settings
    }

    /// A device without a network, where calls of an app do not wait.
    static func offline(durability: FirestoreSettings.Durability = .full, cache: FilledCache? = nil) async throws -> CachedDevice {
        let device = try CachedDevice(durability: durability, cache: cache)
        try await device.firestore.disableNetwork()
        return device
    }

    func close() async throws {
        try await firestore.terminate()
        try await network.close()
        try BenchmarkDirectory.remove(directory)
    }
}

enum BenchmarkDirectory {
    static func make() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hearth-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    /// A cache that was closed may remove its own files at the same moment.
    static func remove(_ directory: URL) throws {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            guard FileManager.default.fileExists(atPath: directory.path) else { return }
            try FileManager.default.removeItem(at: directory)
        }
    }
}

/// What an app writes again and again: a task of a list.
struct TaskDocument: Codable {
    var owner: String
    var title = "Water the plants on the balcony"
    var done: Bool
    var due: Int

    init(_ number: Int) {
        owner = "user\(number % 100)"
        done = number % 2 == 0
        due = number
    }

    var fields: FieldBytes {
        FieldBytes(
            FieldMap([
                ("owner", .string(owner)), ("title", .string(title)), ("done", .boolean(done)), ("due", .integer(Int64(due))),
            ]))
    }
}

/// The moments at which a listener was called.
struct Arrivals {
    private let stream = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    private var iterator: AsyncStream<ContinuousClock.Instant>.Iterator

    init() { iterator = stream.stream.makeAsyncIterator() }

    /// For the callback of a listener.
    var note: @Sendable () -> Void {
        { [continuation = stream.continuation] in continuation.yield(.now) }
    }

    mutating func next() async throws -> ContinuousClock.Instant {
        guard let arrival = await iterator.next() else { throw BenchmarkFailure("the listener has ended") }
        return arrival
    }
}

extension BenchmarkResult {
    /// A number with an upper bound.
    static func atMost(_ limit: Double, _ name: String, _ value: Double, _ unit: String) -> BenchmarkResult {
        BenchmarkResult(
            name: name, value: value, unit: unit, peerName: "allowed", peerValue: limit, ratio: limit / value, goal: 1)
    }

    /// A rate with a lower bound.
    static func atLeast(_ limit: Double, _ name: String, _ value: Double, _ unit: String) -> BenchmarkResult {
        BenchmarkResult(
            name: name, value: value, unit: unit, peerName: "required", peerValue: limit, ratio: value / limit, goal: 1)
    }

    static func figure(_ name: String, _ value: Double, _ unit: String) -> BenchmarkResult {
        BenchmarkResult(name: name, value: value, unit: unit, peerName: nil, peerValue: nil, ratio: nil, goal: nil)
    }
}

enum Measured {
    static func seconds(since start: ContinuousClock.Instant) -> Double { QueryCases.seconds(ContinuousClock.now - start) }

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return seconds(since: start)
    }

    static func percentile(_ share: Double, of samples: [Double]) -> Double {
        let sorted = samples.sorted()
        return sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    static func median(_ samples: [Double]) -> Double { percentile(0.5, of: samples) }
}
