// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    import FirestoreCore
    import TestSupport
    import Testing

    /// Work of the vocabulary that grows as its input does, and no faster.
    @Suite struct CoreWorkTests {
        private static let database = DatabaseID(projectID: "p")

        private func names(_ count: Int) -> [String] { (0..<count).map { "f\($0)" } }

        @Test func `fields from a dictionary in any order`() {
            expectLinear("FieldMap", { names($0).reversed().map { ($0, Value.null) } }) { _ = FieldMap($0) }
        }

        @Test func `of fields with one name the last wins, in any order`() {
            let map = FieldMap([("b", .integer(1)), ("a", .integer(2)), ("b", .integer(3)), ("a", .integer(4))])
            #expect(map.entries.map(\.name) == ["a", "b"])
            #expect(FieldBytes(map) == FieldBytes(FieldMap([("a", .integer(4)), ("b", .integer(3))])))
        }

        @Test func `a JSON text with long names around many values`() throws {
            func text(_ count: Int) -> [UInt8] {
                let elements = (0..<count).map { _ in "{\"nullValue\":null}" }.joined(separator: ",")
                let name = String(repeating: "n", count: count)
                return Array("{\"\(name)\":{\"arrayValue\":{\"values\":[\(elements)]}}}".utf8)
            }
            try expectLinear("Value(JSON)", text) { _ = FieldBytes(try FieldMap(JSONNode(try JSON($0)))) }
        }

        @Test func `the place in a JSON text is named, and a long name on the way is cut`() throws {
            let name = String(repeating: "ä", count: 1_000)
            let text = "{\"\(name)\":{\"arrayValue\":{\"values\":[{\"nullValue\":null},{\"stringValue\":7}]}}}"
            let node = JSONNode(try JSON(text.utf8))
            expectImmediateError(.invalidArgument, mentioning: "ää", "a string is expected") { try FieldMap(node) }
            do {
                _ = try FieldMap(JSONNode(try JSON("{\"a\":{\"arrayValue\":{\"values\":[{\"nullValue\":null},{\"stringValue\":7}]}}}".utf8)))
            } catch {
                #expect("\(error)" == "a.arrayValue.values[1].stringValue: a string is expected")
            }
        }

        @Test func `the entries of a map in a pipeline`() throws {
            try expectLinear("PipelineArgument.entries", { names($0).map { ($0, PipelineArgument.value(.null)) } }) {
                _ = try PipelineArgument.entries($0)
            }
        }

        @Test func `a pipeline as a text with many aliases`() throws {
            try expectLinear("PipelineText", { count in "literals({a: 1}).select(\(names(count).map { "1 as \($0)" }.joined(separator: ", ")))" }) {
                _ = try PipelineText.parse($0)
            }
        }

        @Test func `the filter that conditions imply, with many alternatives beside many fields that must exist`() {
            func conditions(_ count: Int) -> [PipelineArgument] {
                let exist = names(count).map { PipelineArgument.call("exists", .field(FieldPathSegments($0))) }
                let equal = names(count).map { PipelineArgument.call("equal", .field(FieldPathSegments($0)), .value(.integer(1))) }
                return exist + [.function(PipelineFunction("or", equal)), .function(PipelineFunction("and", equal))]
            }
            expectLinear("ImpliedFilter", conditions) { _ = ImpliedFilter($0, in: Self.database) }
        }

        @Test func `the orders that inequalities of many fields imply`() {
            func query(_ count: Int) -> StructuredQuery {
                let filters = names(count).map { QueryFilter.field(FieldPathSegments($0), .greaterThan, ValueBytes(.integer(1))) }
                return StructuredQuery(
                    scope: .collection(CollectionPath(trusted: "c")), filter: .and(filters),
                    orders: names(count).map { SortOrder(path: FieldPathSegments("x" + $0)) })
            }
            expectLinear("effectiveOrders", query) { _ = $0.effectiveOrders }
        }

        /// Their names are cut in different places, so that they have the same bytes in a row.
        @Test func `paths that are cut in different places do not share a hash`() {
            func paths(_ count: Int) -> [FieldPathSegments] {
                (0..<count).map { number in
                    let cuts = (0..<16).map { number >> $0 & 1 == 1 }
                    var segments = ["a"]
                    for isCut in cuts { if isCut { segments.append("a") } else { segments[segments.count - 1] += "\0a" } }
                    return FieldPathSegments(segments)
                }
            }
            expectLinear("Set of paths", paths) { _ = Set($0) }
        }

        @Test func `the difference of two documents`() {
            func documents(_ count: Int) -> (FieldBytes, FieldBytes) {
                let old = FieldBytes(FieldMap(names(count).map { ($0, .integer(1)) }))
                return (old, FieldBytes(FieldMap(names(count).map { ($0, .integer(2)) })))
            }
            expectLinear("FieldDifference", documents) { _ = FieldDifference(from: $0.0, to: $0.1) }
        }
    }
#endif
