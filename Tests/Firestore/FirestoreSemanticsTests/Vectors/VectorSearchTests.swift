// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Which documents a vector search finds, in which order (QR-55 … QR-61). As the emulator answers.
@Suite struct VectorSearchTests {
    static let documents = [
        document("c/a", ("n", .integer(1)), ("v", .vector([1, 0]))), document("c/b", ("v", .vector([0, 1]))),
        document("c/z", ("v", .vector([0, 0]))), document("c/d", ("v", .vector([1, 0, 0]))),
        document("c/e", ("v", .integer(3))), document("c/f", ("n", .integer(2)), ("v", .vector([3, 4]))),
        document("c/g", ("v", .array([.double(1), .double(0)]))),
        document("c/h", ("v", map(("__type__", .string("__vector__")), ("value", .array([.integer(1), .integer(0)]))))),
        document("c/i"), document("d/a", ("v", .vector([1, 0]))),
    ]

    static func query(_ search: VectorSearch, _ filter: QueryFilter? = nil, orders: [String] = []) -> StructuredQuery {
        var query = StructuredQuery.c(filter, orders: orders)
        query.nearest = search
        return query
    }

    static func search(
        _ measure: VectorSearch.Measure, _ vector: [Double] = [1, 0], limit: Int = 10, threshold: Double? = nil, field: String = "v"
    ) -> VectorSearch {
        VectorSearch(field: path(field), vector: vector, measure: measure, limit: limit, resultField: path("dist"), threshold: threshold)
    }

    /// `a 0.0, b 1.0`
    static func found(_ query: StructuredQuery, in documents: [Document] = documents) throws -> String {
        try QueryCheck.check(query, database: database)
        return try QueryAnswer.documents(of: query, over: ArrayDocumentSource(documents), database: database).map { document in
            guard case .double(let distance)? = try document.fields.map["dist"] else { return document.key.id }
            return "\(document.key.id) \(distance)"
        }.joined(separator: ", ")
    }

    @Test func `a threshold of zero finds vectors of the same direction, despite rounding`() throws {  // QR-59
        let documents = [document("c/a", ("v", .vector([1, 2]))), document("c/b", ("v", .vector([2, 4]))), document("c/c", ("v", .vector([2, 1])))]
        #expect(try Self.found(Self.query(Self.search(.cosine, [1, 2], threshold: 0)), in: documents) == "a 0.0, b 0.0")
        // Squares that overflow only together are measured apart.
        #expect(try Self.found(Self.query(Self.search(.cosine, [1e100, 0])), in: [document("c/a", ("v", .vector([1e100, 0])))]) == "a 0.0")
    }

    static let cases: [(rule: String, query: StructuredQuery, expected: String)] = [
        ("QR-57 QR-58", query(search(.euclidean)), "a 0.0, z 1.0, b 1.4142135623730951, f 4.47213595499958"),
        ("QR-58 ties by name", query(search(.euclidean, [0, 0])), "z 0.0, a 1.0, b 1.0, f 5.0"),
        ("QR-58 cosine", query(search(.cosine)), "a 0.0, f 0.4, b 1.0, z nan"),
        ("QR-61 a zero vector has no angle", query(search(.cosine, [0, 0])), "a nan, b nan, f nan, z nan"),
        ("QR-58 opposite", query(search(.cosine, [-3, -4])), "a 1.6, b 1.8, f 2.0, z nan"),
        ("QR-58 larger is nearer", query(search(.dotProduct)), "f 3.0, a 1.0, b 0.0, z 0.0"),
        ("QR-59 inclusive", query(search(.euclidean, threshold: 1)), "a 0.0, z 1.0"),
        ("QR-59 cosine", query(search(.cosine, threshold: 2)), "a 0.0, f 0.4, b 1.0"),
        ("QR-59 at least", query(search(.dotProduct, threshold: 1)), "f 3.0, a 1.0"),
        ("QR-56 the nearest only", query(search(.euclidean, limit: 2)), "a 0.0, z 1.0"),
        ("QR-56 the nearest of ties by name", query(search(.euclidean, [0, 0], limit: 2)), "z 0.0, a 1.0"),
        ("QR-57 another dimension", query(search(.euclidean, [1, 0, 0])), "d 0.0"),
        ("QR-57 no such field", query(search(.euclidean, field: "w")), ""),
        ("QR-61 filtered before", query(search(.euclidean), .field("n", .greaterThan, .integer(1))), "f 4.47213595499958"),
        ("QR-61 ordered fields must be there", query(search(.euclidean), orders: ["-n"]), "a 0.0, f 4.47213595499958"),
    ]

    @Test(arguments: cases.indices)
    func `the nearest come first`(index: Int) throws {
        let (rule, query, expected) = Self.cases[index]
        #expect(try Self.found(query) == expected, "\(rule)")
    }

    @Test func `vectors may lie in maps, and searches go through groups`() throws {
        let documents = [
            document("c/1", ("m", map(("v", .vector([5]))))), document("x/1/c/2", ("m", map(("v", .vector([3]))))),
        ]
        var query = StructuredQuery(scope: .collectionGroup(id: "c", under: nil))
        query.nearest = Self.search(.euclidean, [2], field: "m.v")
        #expect(try Self.found(query, in: documents) == "2 1.0, 1 3.0")
    }

    @Test func `a NaN in a vector makes it the farthest`() throws {
        let documents = [
            document("c/1", ("v", .vector([.nan]))), document("c/2", ("v", .vector([.infinity]))), document("c/3", ("v", .vector([-7]))),
        ]
        #expect(try Self.found(Self.query(Self.search(.euclidean, [0])), in: documents) == "3 7.0, 2 inf, 1 nan")
        #expect(try Self.found(Self.query(Self.search(.dotProduct, [1])), in: documents) == "2 inf, 3 -7.0, 1 nan")
    }

    @Test(arguments: ["a", "dist", "n", "v", "w"])
    func `the distance is set in the returned copy, replacing a field of its name`(name: String) throws {  // QR-60
        var query = Self.query(Self.search(.euclidean, [0, 1], limit: 1))
        query.nearest?.resultField = FieldPathSegments(name)
        let stored = document("c/1", ("dist", .string("x")), ("n", .null), ("v", .vector([0, 3])))
        let answer = try #require(
            try QueryAnswer.documents(of: query, over: ArrayDocumentSource([stored]), database: database).first)
        var expected = try stored.fields.map
        expected[name] = .double(2)
        #expect(answer.fields == FieldBytes(expected))
        #expect(answer.key == stored.key && answer.updateTime == stored.updateTime)
    }

    @Test func `a projection shows the distance only if it names it`() throws {  // QR-60
        var query = Self.query(Self.search(.euclidean, limit: 1))
        for (names, expected) in [(["n"], ["n"]), (["n", "dist"], ["dist", "n"]), (["__name__"], [])] {
            query.projection = names.map { path($0) }
            let answer = try QueryAnswer.documents(of: query, over: ArrayDocumentSource(Self.documents), database: database)
            #expect(try answer.first?.fields.map.entries.map(\.name) == expected)
        }
    }

    @Test func `an aggregation includes the results of a search`() throws {  // QR-63
        let answers = try AggregationExecutor.run(
            Self.query(Self.search(.euclidean, limit: 3)), [Aggregation(.count(upTo: nil)), Aggregation(.sum(path("n")))],
            over: ArrayDocumentSource(Self.documents), database: database)
        #expect(answers.map { ValueBytes($0.value) } == [1, 1].map { ValueBytes(.integer($0)) })
    }

    /// The search, and a word of the message that identifies the rule that rejected it; nil when it is fine.
    static let refusals: [(String, StructuredQuery, String?)] = [
        ("QR-56 one", query(search(.euclidean, limit: 1)), nil),
        ("QR-56 a thousand", query(search(.euclidean, limit: 1_000)), nil),
        ("QR-56 none", query(search(.euclidean, limit: 0)), "is 1 to 1000, here it is 0"),
        ("QR-56 more", query(search(.euclidean, limit: 1_001)), "is 1 to 1000, here it is 1001"),
        ("QR-56 no dimension", query(search(.cosine, [])), "1 to 2048 are allowed"),
        ("QR-56 2048 dimensions", query(search(.cosine, Array(repeating: 1, count: 2_048))), nil),
        ("QR-56 2049 dimensions", query(search(.cosine, Array(repeating: 1, count: 2_049))), "1 to 2048 are allowed"),
        ("QR-59 NaN", query(search(.cosine, threshold: .nan)), "must be a finite number"),
        ("QR-59 infinity", query(search(.cosine, threshold: .infinity)), "must be a finite number"),
        ("QR-61 limit", limited(1, 0), "neither limit nor offset"),
        ("QR-61 offset", limited(nil, 1), "neither limit nor offset"),
        ("QR-61 cursor", bounded(), "takes no cursors"),
        ("QR-60 the name", named("__name__"), "are reserved"),
        ("QR-60 reserved", named("__x__"), "are reserved"),
        ("QR-60 a path", named("a.b"), "goes into a field of the document itself"),
    ]

    private static func limited(_ limit: Int?, _ offset: Int) -> StructuredQuery {
        var query = query(search(.cosine))
        query.limit = limit
        query.offset = offset
        return query
    }

    private static func bounded() -> StructuredQuery {
        var query = query(search(.cosine), orders: ["n"])
        query.end = QueryBound(.integer(1), before: true)
        return query
    }

    private static func named(_ field: String) -> StructuredQuery {
        var query = query(search(.cosine))
        query.nearest?.resultField = path(field)
        return query
    }

    @Test(arguments: refusals.indices)
    func `searches are rejected by their rule`(index: Int) {
        let (name, query, word) = Self.refusals[index]
        do {
            try QueryCheck.check(query, database: database)
            #expect(word == nil, "\(name) was accepted")
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(word.map { error.message.contains($0) } == true, "\(name): \(error)")
        }
    }

    @Test func `a search cannot be listened to`() throws {  // QR-61
        expect(.invalidArgument) { () throws(FirestoreError) in
            try QueryCheck.checkListenable(Self.query(Self.search(.cosine)), database: database)
        }
        try QueryCheck.checkListenable(.c(), database: database)
    }

    /// Components are small whole numbers, so that sums are exact in any order and ties happen.
    @Test(arguments: 0..<30)
    func `the answer is that of a sort by distance`(seed: Int) throws {
        var random = RandomData(seed: UInt64(seed) + 700)
        let dimension = random.number(1...21)
        let vectors = (0..<80).map { _ in (0..<(random.chance(90) ? dimension : dimension + 1)).map { _ in Double(random.number(-3...3)) } }
        let documents = vectors.enumerated().map { document("c/\($0.offset)", ("v", .vector($0.element))) }
        let wanted = (0..<dimension).map { _ in Double(random.number(-3...3)) }
        for measure in VectorSearch.Measure.allCases {
            let search = Self.search(measure, wanted, limit: random.number(1...90), threshold: random.chance(30) ? Double(random.number(-2...6)) : nil)
            let answer = try Self.found(Self.query(search), in: documents)
            #expect(answer == Self.sorted(search, documents, vectors), "seed \(seed), \(measure)")
        }
    }

    private static func sorted(_ search: VectorSearch, _ documents: [Document], _ vectors: [[Double]]) -> String {
        func product(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
        var rows: [(key: DocumentKey, distance: Double)] = []
        for (document, vector) in zip(documents, vectors) where vector.count == search.vector.count {
            let difference = zip(vector, search.vector).map { $0 - $1 }
            let distance: Double =
                switch search.measure {
                case .euclidean: product(difference, difference).squareRoot()
                case .dotProduct: product(vector, search.vector)
                case .cosine: 1 - product(vector, search.vector) / (product(search.vector, search.vector) * product(vector, vector)).squareRoot()
                }
            if let threshold = search.threshold {
                guard search.measure == .dotProduct ? distance >= threshold : distance <= threshold else { continue }
            }
            rows.append((document.key, search.measure == .cosine && !distance.isNaN ? min(2, max(0, distance)) : distance))
        }
        rows.sort { left, right in
            if left.distance == right.distance || (left.distance.isNaN && right.distance.isNaN) { return left.key < right.key }
            if left.distance.isNaN || right.distance.isNaN { return right.distance.isNaN }
            return (left.distance < right.distance) == (search.measure != .dotProduct)
        }
        return rows.prefix(search.limit).map { "\($0.key.id) \($0.distance)" }.joined(separator: ", ")
    }
}
