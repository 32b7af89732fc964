// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// What a call asks for, without its values: calls that differ only in values have equal shapes.
///
/// Names of collections and fields are in it, ids of documents are not, because they may be anything.
package struct CallShape: Sendable, Hashable {
    /// As methods are called in the metrics: `RunQuery`, `Commit`.
    package let method: String
    /// `users/…/orders where total > … order by total desc limit …`
    package let text: String

    private static let value = "…"
    private static let mostKinds = 5
    /// In bytes. Filters and paths of a caller can be much longer, and shapes are remembered.
    private static let longest = 2_000

    private init(method: String, text: String) {
        self.method = method
        self.text = text.utf8.count <= Self.longest ? text : String(decoding: text.utf8.prefix(Self.longest), as: UTF8.self) + Self.value
    }

    static func query(_ query: StructuredQuery, method: String = "RunQuery") -> CallShape {
        CallShape(method: method, text: text(of: query))
    }

    static func aggregation(_ aggregations: [Aggregation], over query: StructuredQuery) -> CallShape {
        let functions = aggregations.map { aggregation in
            switch aggregation.kind {
            case .count: "count"
            case .sum(let path): "sum(\(path.canonical))"
            case .average(let path): "average(\(path.canonical))"
            }
        }
        return CallShape(method: "RunAggregationQuery", text: functions.joined(separator: ", ") + " of " + text(of: query))
    }

    static func pipeline(_ pipeline: PipelineRequest) -> CallShape {
        let stages = pipeline.stages.map(\.name)
        guard let source = pipeline.source else { return CallShape(method: "ExecutePipeline", text: stages.joined(separator: ", ")) }
        return CallShape(method: "ExecutePipeline", text: ([text(of: source)] + stages.dropFirst()).joined(separator: ", "))
    }

    static func documents(_ keys: [DocumentKey]) -> CallShape {
        CallShape(method: "BatchGetDocuments", text: kinds(keys.map { text(of: $0) }))
    }

    static func commit(_ writes: [Write]) -> CallShape {
        let kinds = kinds(
            writes.map { write in
                let verb =
                    switch write.operation {
                    case .set: "set"
                    case .patch: "update"
                    case .delete: "delete"
                    case .verify: "verify"
                    }
                return verb + " " + text(of: write.key)
            })
        return CallShape(method: "Commit", text: kinds)
    }

    static func watch(_ target: WatchTarget) -> CallShape {
        switch target {
        case .document(let key): CallShape(method: "Listen", text: text(of: key))
        case .query(let query): CallShape(method: "Listen", text: text(of: query))
        }
    }

    // MARK: Texts

    /// Each kind once, in alphabetical order.
    private static func kinds(_ texts: [String]) -> String {
        let kinds = Set(texts).sorted()
        guard kinds.count > mostKinds else { return kinds.joined(separator: ", ") }
        return kinds.prefix(mostKinds).joined(separator: ", ") + " and \(kinds.count - mostKinds) more"
    }

    private static func text(of key: DocumentKey) -> String { text(of: key.collection.path) + "/" + value }

    /// Every second segment of a path is the id of a document.
    private static func text(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).enumerated()
            .map { index, segment in index.isMultiple(of: 2) ? String(segment) : value }.joined(separator: "/")
    }

    private static func text(of query: StructuredQuery) -> String {
        var text = text(of: query.scope)
        if let filter = query.filter { text += " where " + self.text(of: filter, isInner: false) }
        if let nearest = query.nearest { text += " nearest to \(value) in \(nearest.field.canonical) by \(nearest.measure.rawValue)" }
        if !query.orders.isEmpty {
            let orders = query.orders.map { $0.path.canonical + ($0.direction == .descending ? " desc" : "") }
            text += " order by " + orders.joined(separator: ", ")
        }
        if query.start != nil { text += " from \(value)" }
        if query.end != nil { text += " to \(value)" }
        if query.offset > 0 { text += " offset \(value)" }
        if query.limit != nil { text += " limit \(value)" }
        return text
    }

    private static func text(of scope: QueryScope) -> String {
        func below(_ key: DocumentKey?) -> String { key.map { " below " + text(of: $0) } ?? "" }
        return switch scope {
        case .collection(let path): text(of: path.path)
        case .collectionGroup(let id, let under): "group " + id + below(under)
        case .kindless(let under, let all): (all ? "everything" : "all collections") + below(under)
        }
    }

    private static func text(of filter: QueryFilter, isInner: Bool) -> String {
        func joined(_ filters: [QueryFilter], _ word: String) -> String {
            let text = filters.map { self.text(of: $0, isInner: true) }.joined(separator: " \(word) ")
            return isInner ? "(\(text))" : text
        }
        return switch filter {
        case .field(let path, let op, _): "\(path.canonical) \(op.name) \(value)"
        case .and(let filters): joined(filters, "and")
        case .or(let filters): joined(filters, "or")
        }
    }
}
