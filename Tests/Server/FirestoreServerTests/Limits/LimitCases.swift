// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A request with so many of what a limit counts.
enum LimitCase {
    case commit([Write])
    case batchGet([DocumentKey], mask: [FieldPathSegments]?)
    case listen([DocumentKey])
    case labels(Int)
    case query(StructuredQuery)
    case aggregation([Aggregation])
    case pipeline(PipelineRequest)
    /// Fields of an index that an administrator makes.
    case index(Int)
    case fieldIndexes(Int)
    /// Collections that an administrator deletes.
    case deletion(Int)
}

extension LimitCase {
    /// nil for a limit that has no request here.
    init?(_ limit: Limit, count: Int) {
        if let write = Self.write(limit.name, count) ?? Self.read(limit.name, count) ?? Self.pipeline(limit.name, count) {
            self = write
        } else {
            return nil
        }
    }

    // MARK: Writes

    private static func write(_ name: String, _ count: Int) -> LimitCase? {
        let key = DocumentKey(trusted: "c/d")
        switch name {
        case "commitWrites": return .commit((0..<count).map { Write(key: DocumentKey(trusted: "c/d\($0)"), operation: .delete) })
        case "transforms":
            let transforms = paths(count).map { FieldTransform(path: $0, kind: .serverTimestamp) }
            return .commit([Write(key: key, operation: .set(.empty), transforms: transforms)])
        case "writeMask": return .commit([Write(key: key, operation: .patch(.empty, mask: paths(count)))])
        case "vectorDimensions":
            let vector = Value.vector(Array(repeating: 1, count: count))
            return .commit([Write(key: key, operation: .set(FieldBytes(FieldMap([("v", vector)]))))])
        case "labels": return .labels(count)
        case "indexFields": return .index(count)
        case "fieldIndexes": return .fieldIndexes(count)
        case "collectionIDs": return .deletion(count)
        default: return nil
        }
    }

    // MARK: Reads

    private static func read(_ name: String, _ count: Int) -> LimitCase? {
        switch name {
        case "batchGet": return .batchGet(keys(count), mask: nil)
        case "readMask": return .batchGet(keys(1), mask: paths(count))
        case "listenDocuments": return .listen(keys(count))
        case "components": return .query(filtered(.and(paths(count).map { .field($0, .equal, one) })))
        case "disjunctions": return .query(filtered(.or(paths(count).map { .field($0, .equal, one) })))
        case "inequalityFields": return .query(filtered(.and(paths(count).map { .field($0, .greaterThan, one) })))
        case "listValues": return .query(filtered(.field(path("a"), .in, list(count))))
        case "notInValues": return .query(filtered(.field(path("a"), .notIn, list(count))))
        case "orders": return .query(ordered(count))
        case "cursorValues":
            var query = ordered(min(count, Limit.orders.value))
            query.start = QueryBound(values: Array(repeating: one, count: count), before: true)
            return .query(query)
        case "aggregations": return .aggregation((0..<count).map { Aggregation(.count(upTo: nil), alias: "n\($0)") })
        case "nearestDocuments":
            var query = StructuredQuery(scope: scope)
            query.nearest = VectorSearch(field: path("v"), vector: [1], measure: .euclidean, limit: count)
            return .query(query)
        default: return nil
        }
    }

    // MARK: Pipelines

    private static func pipeline(_ name: String, _ count: Int) -> LimitCase? {
        switch name {
        case "stages": return pipeline(Array(repeating: PipelineStage(.where, [.value(.boolean(true))]), count: count - 1))
        case "pipelines": return pipeline([select((0..<count).map { ("f\($0)", .call("array", .pipeline([source]))) })])
        case "pipelineDepth":
            let inner = (0..<count).reduce([source]) { inner, _ in [source, select([("x", .call("array", .pipeline(inner)))])] }
            return .pipeline(PipelineRequest(inner))
        case "expressionDepth":
            return pipeline([PipelineStage(.where, [(1..<count).reduce(.field(path("n"))) { inner, _ in .call("abs", inner) }])])
        case "valueDepth":
            return pipeline([select([("x", (0..<count).reduce(.field(path("n"))) { inner, _ in .array([inner]) })])])
        case "expressions":
            let row = PipelineArgument.value(.map(FieldMap([("n", .integer(1))])))
            return .pipeline(PipelineRequest([PipelineStage(.literals, Array(repeating: row, count: count))]))
        case "functionArguments":
            let arguments = Array(repeating: PipelineArgument.field(path("n")), count: count)
            return pipeline([select([("x", .function(PipelineFunction("maximum", arguments)))])])
        case "stageFields": return pipeline([select((0..<count).map { ("f\($0)", .field(path("n"))) })])
        case "variables":
            return pipeline([bind("a", count / 2), bind("b", count - count / 2)])
        case "pipelineDocuments":
            let documents = (0..<count).map { PipelineArgument.value(.reference("/c/d\($0)")) }
            return .pipeline(PipelineRequest([PipelineStage(.documents, documents)]))
        default: return nil
        }
    }

    private static let source = PipelineStage(.collection, [.value(.reference("/c"))])

    private static func pipeline(_ stages: [PipelineStage]) -> LimitCase { .pipeline(PipelineRequest([source] + stages)) }

    private static func select(_ fields: [(String, PipelineArgument)]) -> PipelineStage {
        PipelineStage(.select, [.map(fields.map { PipelineEntry($0.0, $0.1) }.sorted { $0.key < $1.key })])
    }

    private static func bind(_ prefix: String, _ count: Int) -> PipelineStage {
        PipelineStage(.let, [.map((0..<count).map { PipelineEntry("\(prefix)\($0)", .field(path("n"))) }.sorted { $0.key < $1.key })])
    }

    // MARK: Parts

    private static let scope = QueryScope.collection(CollectionPath(trusted: "c"))
    private static let one = ValueBytes(.integer(1))

    private static func path(_ name: String) -> FieldPathSegments { FieldPathSegments([name]) }
    private static func paths(_ count: Int) -> [FieldPathSegments] { (0..<count).map { path("f\($0)") } }
    private static func keys(_ count: Int) -> [DocumentKey] { (0..<count).map { DocumentKey(trusted: "c/d\($0)") } }
    private static func list(_ count: Int) -> ValueBytes { ValueBytes(.array((0..<count).map { .integer(Int64($0)) })) }
    private static func filtered(_ filter: QueryFilter) -> StructuredQuery { StructuredQuery(scope: scope, filter: filter) }

    private static func ordered(_ count: Int) -> StructuredQuery {
        var query = StructuredQuery(scope: scope)
        query.orders = paths(count).map { SortOrder(path: $0) }
        return query
    }
}
