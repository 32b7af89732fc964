// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSemantics

/// A search by a sketch finds what a search through all documents finds, and reads few of them.
@Suite struct VectorSketchTests {
    private static let collection = CollectionPath(trusted: "c")

    private func sketch(_ documents: [Document], dimension: Int, parts: Int = 1, most: Int = .max) throws -> VectorSketch? {
        var builders = (0..<parts).map { _ in VectorSketchBuilder(path("v"), dimension: dimension, most: most) }
        for (index, document) in documents.enumerated() {
            try document.withScanned { builders[index * parts / documents.count].add($0) }
        }
        return builders.allSatisfy(\.isComplete) ? VectorSketchBuilder.sketch(builders) : nil
    }

    private struct Found {
        let documents: [Document]?
        let read: Int
    }

    private func find(
        _ search: VectorSearch, by vectors: SketchedVectors, in documents: [Document], _ filter: QueryFilter? = nil
    ) throws -> Found {
        var query = StructuredQuery.c(filter)
        query.nearest = search
        let counters = QueryCounters()
        let nearest = try VectorSearchExecutor.nearest(
            search, by: vectors, in: Self.collection, among: query, over: ArrayDocumentSource(documents), database: database,
            counters: counters)
        return Found(documents: nearest?.documents, read: counters.documentsRead)
    }

    private func expected(_ search: VectorSearch, in documents: [Document], _ filter: QueryFilter? = nil) throws -> [Document] {
        var query = StructuredQuery.c(filter)
        query.nearest = search
        return try QueryAnswer.documents(of: query, over: ArrayDocumentSource(documents), database: database)
    }

    /// Vectors as they come: of text and images, of whole numbers with many ties, far from the origin, long, short, and none at all.
    private enum Kind: CaseIterable {
        case even, whole, distant, short, long, mixed

        func component(_ random: inout SeededGenerator) -> Double {
            switch self {
            case .even: Double.random(in: -1...1, using: &random)
            case .whole: Double(Int.random(in: -2...2, using: &random))
            case .distant: 1_000 + Double.random(in: -1...1, using: &random)
            case .short: Double.random(in: -1...1, using: &random) * 1e-60
            case .long: Double.random(in: -1...1, using: &random) * 1e60
            case .mixed:
                switch Int.random(in: 0..<40, using: &random) {
                case 0: .nan
                case 1: .infinity
                case 2: -1e300
                case 3: 1e-300
                case 4..<20: 0
                default: Double.random(in: -5...5, using: &random)
                }
            }
        }
    }

    @Test func `it finds the same, whatever the vectors are`() throws {
        var random = SeededGenerator(seed: 29)
        var (answered, refused) = (0, 0)
        for kind in Kind.allCases {
            for dimension in [1, 2, 7, 33, 256] {
                var made: [[Double]] = []
                func vector() -> [Double] {
                    made.append((0..<dimension).map { _ in kind.component(&random) })
                    return made[made.count - 1]
                }
                func content(_ number: Int) -> Document {
                    let value: Value = number % 17 == 0 ? .string("none") : number % 13 == 0 ? .vector([1, 2, 3]) : .vector(vector())
                    return document("c/\(number)", ("v", value), ("g", .integer(Int64(number % 3))))
                }
                let count = TestScale.isFull ? 900 : 150
                let old = (0..<count).map(content)
                let sketch = try #require(try sketch(old, dimension: dimension, parts: 3))
                // Some have changed since, some are gone, some are new.
                let numbers = (0...count).filter { _ in Int.random(in: 0..<20, using: &random) > 0 }
                let now = numbers.map { $0 % 11 == 0 || $0 == count ? content($0) : old[$0] }
                let states = Dictionary(uniqueKeysWithValues: now.map { ($0.key, $0) })
                let changed = Set((0...count).filter { number in
                    number == count || states[old[number].key]?.fields != old[number].fields
                }.map(String.init))
                let vectors = SketchedVectors(sketch, time: .none, changed: changed)
                for measure in VectorSearch.Measure.allCases {
                    for (limit, threshold) in [(1, nil), (10, nil), (count, nil), (10, 0.9), (10, 3.0)] as [(Int, Double?)] {
                        let wanted = Bool.random(using: &random) ? vector() : made[Int.random(in: 0..<count / 2, using: &random)]
                        let search = VectorSearchTests.search(measure, wanted, limit: limit, threshold: threshold)
                        for filter in [nil, QueryFilter.field("g", .greaterThan, .integer(0))] {
                            guard let found = try find(search, by: vectors, in: now, filter).documents else {
                                refused += 1
                                continue
                            }
                            answered += 1
                            let all = try expected(search, in: now, filter)
                            #expect(found.map(\.key.id) == all.map(\.key.id), "\(kind) \(dimension) \(search)")
                            #expect(found.map(\.fields) == all.map(\.fields))
                        }
                    }
                }
            }
        }
        #expect(answered > 3 * refused, "\(answered) answered, \(refused) refused")
    }

    @Test(arguments: VectorSearch.Measure.allCases)
    func `it reads little more than it returns`(measure: VectorSearch.Measure) throws {
        var random = SeededGenerator(seed: 3)
        func vector() -> [Double] { (0..<64).map { _ in Double.random(in: -1...1, using: &random) } }
        let documents = (0..<2_000).map { document("c/\($0)", ("v", .vector(vector()))) }
        let vectors = SketchedVectors(try #require(try sketch(documents, dimension: 64)), time: .none)
        for _ in 0..<5 {
            let search = VectorSearchTests.search(measure, vector())
            let found = try find(search, by: vectors, in: documents)
            #expect(try found.documents?.map(\.key.id) == expected(search, in: documents).map(\.key.id))
            #expect(found.read <= 30, "\(found.read)")
        }
    }

    @Test func `a search for which it would read many documents is left to a scan`() throws {
        let documents = (0..<2_000).map { document("c/\($0)", ("v", .vector([1, 1])), ("n", .integer(Int64($0)))) }
        let vectors = SketchedVectors(try #require(try sketch(documents, dimension: 2)), time: .none)
        // A filter that accepts one of all.
        let search = VectorSearchTests.search(.euclidean, [0, 1])
        #expect(try find(search, by: vectors, in: documents, .field("n", .equal, .integer(1_999))).documents == nil)
        // A vector that is none.
        for wanted in [[.nan, 1], [1e200, 0], [0, 0]] as [[Double]] {
            #expect(try find(VectorSearchTests.search(.euclidean, wanted), by: vectors, in: documents).documents == nil)
        }
    }

    @Test func `it is not made beyond its room`() throws {
        let documents = (0..<100).map { document("c/\($0)", ("v", .vector([1, Double($0)]))) }
        let made = try #require(try sketch(documents, dimension: 2))
        #expect(made.count == 100)
        #expect(try sketch(documents, dimension: 2, most: made.bytes)?.bytes == made.bytes)
        #expect(try sketch(documents, dimension: 2, most: made.bytes - 1) == nil)
    }

    @Test func `many changes make it outdated`() throws {
        let documents = (0..<100).map { document("c/\($0)", ("v", .vector([1, Double($0)]))) }
        var vectors = SketchedVectors(try #require(try sketch(documents, dimension: 2)), time: .none)
        vectors.changed = Set((0..<257).map(String.init))
        #expect(!vectors.isOutdated)
        vectors.changed.insert("257")
        #expect(vectors.isOutdated)
    }
}
