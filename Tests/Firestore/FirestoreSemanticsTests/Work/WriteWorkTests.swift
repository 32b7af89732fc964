// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    import FirestoreCore
    import TestSupport
    import Testing

    @testable import FirestoreSemantics

    /// Work of writes and reads that grows as what is sent and what is stored do, and no faster.
    @Suite struct WriteWorkTests {
        private static let field = FieldPathSegments("f")

        private func names(_ count: Int) -> [String] { (0..<count).map { "f\($0)" } }

        private func stored(_ fields: [(String, Value)]) -> Document {
            Document(key: DocumentKey(trusted: "c/1"), createTime: .none, updateTime: .none, fields: FieldBytes(FieldMap(fields)))
        }

        private func apply(_ write: Write, to document: Document) throws {
            try WriteCheck.check([write])
            _ = try WriteApplication.apply(write, to: document, at: WriteApplicationTests.times, in: database)
        }

        private func transforms(_ kinds: [FieldTransform.Kind], on path: FieldPathSegments = field) -> Write {
            Write(
                key: DocumentKey(trusted: "c/1"), operation: .patch(.empty, mask: []),
                transforms: kinds.map { FieldTransform(path: path, kind: $0) })
        }

        /// Numbers of both kinds, texts and maps.
        private func elements(_ range: Range<Int>) -> [Value] {
            range.map { number in
                switch number % 4 {
                case 0: .integer(Int64(number))
                case 1: .double(Double(number))
                case 2: .string("element \(number)")
                default: .map(FieldMap([("n", .integer(Int64(number)))]))
                }
            }
        }

        @Test(arguments: [true, false])
        func `a union of as many elements as are stored, and a removal`(isUnion: Bool) throws {
            try expectLinear("array", { count -> (Write, Document) in
                let kind: FieldTransform.Kind =
                    isUnion
                    ? .appendMissingElements(elements(count / 2..<count * 3 / 2)) : .removeAllFromArray(elements(count / 2..<count * 3 / 2))
                return (transforms([kind]), stored([("f", .array(elements(0..<count)))]))
            }) { try apply($0.0, to: $0.1) }
        }

        @Test func `many unions and removals of one field, in turns`() throws {
            try expectLinear("array transforms in turns", at: 100, { count -> (Write, Document) in
                let kinds = (0..<count).map { number -> FieldTransform.Kind in
                    let some = elements(number..<number + 2)
                    return number % 2 == 0 ? .appendMissingElements(some) : .removeAllFromArray(some)
                }
                return (transforms(kinds), stored([("f", .array(elements(0..<count * 10)))]))
            }) { try apply($0.0, to: $0.1) }
        }

        @Test func `many transforms of many fields of a large document`() throws {
            try expectLinear("transforms", at: 100, { count -> (Write, Document) in
                let write = Write(
                    key: DocumentKey(trusted: "c/1"), operation: .patch(.empty, mask: []),
                    transforms: names(count).map { FieldTransform(path: FieldPathSegments($0), kind: .increment(.integer(1))) })
                return (write, stored(names(count * 10).map { ($0, .integer(1)) }))
            }) { try apply($0.0, to: $0.1) }
        }

        @Test func `an update mask with as many paths as fields`() throws {
            try expectLinear("mask", { count -> (Write, Document) in
                let fields = FieldBytes(FieldMap(names(count).map { ($0, .integer(2)) }))
                let write = Write(
                    key: DocumentKey(trusted: "c/1"), operation: .patch(fields, mask: names(count).reversed().map { FieldPathSegments($0) }))
                return (write, stored(names(count).map { ($0, .integer(1)) }))
            }) { try apply($0.0, to: $0.1) }
        }

        @Test func `an update mask with many paths in one map`() throws {
            try expectLinear("mask in a map", { count -> (Write, Document) in
                let fields = FieldBytes(FieldMap([("m", .map(FieldMap(names(count).map { ($0, .integer(2)) })))]))
                let write = Write(
                    key: DocumentKey(trusted: "c/1"),
                    operation: .patch(fields, mask: names(count).map { FieldPathSegments(["m", $0]) }))
                return (write, stored([("m", .map(FieldMap(names(count).map { ($0, .integer(1)) })))]))
            }) { try apply($0.0, to: $0.1) }
        }

        @Test func `a field mask with as many paths as fields`() {
            expectLinear("Projection", { count -> ([FieldPathSegments], Document) in
                (names(count).reversed().map { FieldPathSegments($0) }, stored(names(count).map { ($0, .integer(1)) }))
            }) { _ = Projection($0.0).apply(to: $0.1) }
        }

        @Test func `the index entries of a long array`() {
            let keys = IndexEntryKeys(
                IndexDefinition(collectionID: "c", fields: [IndexDefinition.Field(Self.field, .arrayContains)]))
            expectLinear("IndexEntryKeys", { stored([("f", .array(elements(0..<$0)))]) }) { document in
                defer { withExtendedLifetime(document) {} }
                _ = keys.entries(of: document.key, fields: document.fields.view)
            }
        }

        @Test func `a commit of many writes`() throws {
            try expectLinear("WriteCheck", { count in
                (0..<count).map { Write.increment("c/\($0 % 10)") }
            }) { try WriteCheck.check($0) }
        }

        // MARK: Queries

        @Test func `a filter with too many terms is refused without a look at them`() {
            let filter = QueryFilter.and(names(4_000).map { .field($0, $0.hasSuffix("1") ? .greaterThan : .equal, .integer(1)) })
            let work = WorkCounter.measure {
                expectImmediateError(.invalidArgument, mentioning: "at most") { try QueryCheck.check(.c(filter), database: database) }
            }
            #expect(work == 0)
        }

        /// The conditions of pipelines are not limited as those of queries are.
        @Test func `a filter with many terms is planned`() {
            expectLinear("QueryPlanner", { count in
                let single = names(count).map { QueryFilter.or([.field("x" + $0, .equal, .integer(1))]) }
                return QueryFilter.and(names(count).map { .field($0, .equal, .integer(1)) } + single)
            }) { _ = FilterBranch.all(of: $0) }
        }

        @Test func `a filter with many terms reads a document`() {
            expectLinear("QueryMatcher", { count in
                (StructuredQuery.c(.and((0..<count).map { _ in .field("a", .equal, .integer(1)) })), document("c/1", ("a", .integer(1))))
            }) { _ = QueryMatcher($0.0, database: database).matches($0.1) }
        }
    }
#endif
