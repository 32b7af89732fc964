// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A bounded load of reads and writes on a temporary collection.
struct BenchLoad: Sendable {
    /// The maximum number of samples that a figure uses.
    private static let samples = 1_000_000

    let place: OpenPlace
    let seconds: Double
    let tasks: Int
    let documents: Int
    let collection = CollectionPath(parent: nil, id: "hearth-bench-" + AutoID.make())

    init(place: OpenPlace, seconds: Double, tasks: Int, documents: Int) {
        self.place = place
        self.seconds = seconds
        self.tasks = tasks
        self.documents = documents
    }

    func run() async throws -> [BenchFigures] {
        var figures = [try await measure("set", until: documents) { (number) throws(FirestoreError) in try await set(number) }]
        figures.append(try await measure("get") { (number) throws(FirestoreError) in try await get(number) })
        figures.append(try await measure("update") { (number) throws(FirestoreError) in try await update(number) })
        figures.append(try await measure("query") { (number) throws(FirestoreError) in try await query(number) })
        return figures
    }

    /// Deletes the documents, in a task that no signal has cancelled. Returns whether that succeeded, and says so if not.
    func clear() async -> Bool {
        let (collection, place) = (collection, place)
        let failure = await Task.detached { () -> String? in
            do {
                _ = try await DocumentTree(collection: collection).delete(in: place)
                return nil
            } catch {
                return "\(error)"
            }
        }.value
        if let failure { StandardError.say("hearth bench: \(collection.path) could not be deleted: \(failure)") }
        return failure == nil
    }

    // MARK: Operations, by number

    private func key(_ number: Int) -> DocumentKey { DocumentKey(collection: collection, id: "\(number % documents)") }

    private func fields(_ number: Int) -> FieldMap {
        FieldMap([
            ("number", .integer(Int64(number))), ("group", .integer(Int64(number % 100))), ("name", .string("document \(number)")),
            ("tags", .array([.string("bench"), .string("t\(number % 10)")])),
            ("place", .geoPoint(GeoPointValue(latitude: 48.1, longitude: 11.6))),
            ("text", .string(String(repeating: "Hearth ", count: 20))),
        ])
    }

    private func set(_ number: Int) async throws(FirestoreError) {
        _ = try await place.service.commit(
            [Write(key: key(number), operation: .set(FieldBytes(fields(number))))], context: place.call)
    }

    private func get(_ number: Int) async throws(FirestoreError) {
        // Visits all of them, in another order.
        _ = try await place.service.documents([key(number &* 7_919)], context: place.call)
    }

    private func update(_ number: Int) async throws(FirestoreError) {
        let write = Write(
            key: key(number &* 7_919), operation: .patch(.empty, mask: []), precondition: .exists(true),
            transforms: [FieldTransform(path: FieldPathSegments("visits"), kind: .increment(.integer(1)))])
        _ = try await place.service.commit([write], context: place.call)
    }

    private func query(_ number: Int) async throws(FirestoreError) {
        let filter = QueryFilter.field(FieldPathSegments("group"), .equal, ValueBytes(.integer(Int64(number % 100))))
        _ = try await place.service.run(
            StructuredQuery(scope: .collection(collection), filter: filter, limit: 20), context: place.call)
    }

    // MARK: Measuring

    private struct Part: Sendable {
        var count = 0
        var latencies: [UInt32] = []
    }

    /// The shared state of the tasks of a measurement.
    private final class Course: Sendable {
        private let number = Mutex(0)
        /// The number at which writing ends, once all documents exist; nil for operations that end with the time.
        private let end: Int?
        private let last: ContinuousClock.Instant

        init(end: Int?, last: ContinuousClock.Instant) {
            self.end = end
            self.last = last
        }

        /// Returns each number once, and nil when the measurement is over.
        func next(_ now: ContinuousClock.Instant) -> Int? {
            if end == nil, now >= last { return nil }
            let taken = number.withLock { number in
                defer { number += 1 }
                return number
            }
            return end.map { taken < $0 } ?? true ? taken : nil
        }
    }

    /// Repeats an operation in all tasks, for the time given or until its numbers reach `end`.
    private func measure(
        _ name: String, until end: Int? = nil, _ operation: @escaping @Sendable (Int) async throws(FirestoreError) -> Void
    ) async throws -> BenchFigures {
        let clock = ContinuousClock()
        let start = clock.now
        let course = Course(end: end, last: start + .seconds(seconds))
        let samples = Self.samples / tasks
        let parts = try await withThrowingTaskGroup(of: Part.self) { group in
            for _ in 0..<tasks { group.addTask { try await Self.repeated(course, samples, operation) } }
            var parts: [Part] = []
            for try await part in group { parts.append(part) }
            return parts
        }
        return BenchFigures(
            name, count: parts.reduce(0) { $0 + $1.count }, seconds: (clock.now - start) / .seconds(1),
            latencies: parts.flatMap(\.latencies))
    }

    private static func repeated(
        _ course: Course, _ samples: Int, _ operation: @Sendable (Int) async throws(FirestoreError) -> Void
    ) async throws -> Part {
        let clock = ContinuousClock()
        var part = Part()
        var begin = clock.now
        while let number = course.next(begin) {
            try Task.checkCancellation()
            try await operation(number)
            part.count += 1
            let end = clock.now
            if part.latencies.count < samples { part.latencies.append(UInt32(clamping: Int64((end - begin) / .microseconds(1)))) }
            begin = end
        }
        return part
    }
}
