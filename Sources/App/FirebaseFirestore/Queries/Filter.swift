// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// A condition on documents, which can be combined with others and passed to `Query.whereFilter`.
///
/// A malformed field path, or an operand that cannot be stored, makes every operation of a query that uses the filter
/// fail with `invalidArgument`.
public final class Filter: NSObject, Sendable {
    let node: Result<FilterNode, FirestoreError>

    private init(_ node: Result<FilterNode, FirestoreError>) {
        self.node = node
        super.init()
    }

    convenience init(_ path: FieldPath, _ op: QueryFilter.FieldOperator, value: Any) {
        self.init(
            Result { () throws(FirestoreError) in
                let path = try path.segments.get()
                return .field(path, op, try AnyValueParser.operand(value, path: path))
            })
    }

    convenience init(_ path: FieldPath, _ op: QueryFilter.FieldOperator, list: [Any]) {
        self.init(
            Result { () throws(FirestoreError) in
                let path = try path.segments.get()
                return .field(path, op, try AnyValueParser.operands(list, path: path))
            })
    }

    /// A filter that holds when at least one of the filters does.
    ///
    /// A single filter is used as it is; empty filters are dropped.
    public class func orFilter(_ filters: [Filter]) -> Filter {
        combine(filters) { .or($0) }
    }

    /// A filter that holds when all of the filters do.
    ///
    /// A single filter is used as it is; empty filters are dropped.
    public class func andFilter(_ filters: [Filter]) -> Filter {
        combine(filters) { .and($0) }
    }

    private static func combine(_ filters: [Filter], _ make: ([FilterNode]) -> FilterNode) -> Filter {
        Filter(
            Result { () throws(FirestoreError) in
                var nodes: [FilterNode] = []
                for filter in filters {
                    let node = try filter.node.get()
                    if !node.isEmpty { nodes.append(node) }
                }
                return nodes.count == 1 ? nodes[0] : make(nodes)
            })
    }
}

/// A filter whose collection is not known yet.
package indirect enum FilterNode: Sendable {
    case field(FieldPathSegments, QueryFilter.FieldOperator, Value)
    case and([FilterNode])
    case or([FilterNode])

    /// Whether this is a composite of no filters.
    var isEmpty: Bool {
        switch self {
        case .field: false
        case .and(let nodes), .or(let nodes): nodes.isEmpty
        }
    }

    func filter(for scope: QueryScope, database: DatabaseID) throws(FirestoreError) -> QueryFilter {
        switch self {
        case .and(let nodes): return .and(try Self.filters(nodes, for: scope, database: database))
        case .or(let nodes): return .or(try Self.filters(nodes, for: scope, database: database))
        case .field(let path, let op, let value):
            let place = "filter on \(path.canonical)"
            guard path.isDocumentID else {
                try PathRules.checkReferences(in: value, database: database, place: place)
                return .field(path, op, ValueBytes(value))
            }
            let operand = DocumentIDOperand(scope: scope, database: database, place: place)
            return .field(path, op, ValueBytes(try operand.value(value, for: op)))
        }
    }

    private static func filters(
        _ nodes: [FilterNode], for scope: QueryScope, database: DatabaseID
    ) throws(FirestoreError) -> [QueryFilter] {
        try nodes.map { (node) throws(FirestoreError) in try node.filter(for: scope, database: database) }
    }
}
