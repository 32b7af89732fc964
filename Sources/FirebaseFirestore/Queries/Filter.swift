import FirestoreCore
public import Foundation

/// A condition on documents, to be combined with others and given to `Query.whereFilter`.
///
/// A bad field path or an operand that cannot be stored makes every operation of the query it is used in fail with
/// `invalidArgument`.
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

    /// Holds when one of the filters does. A single filter stands for itself; empty ones are dropped.
    public class func orFilter(_ filters: [Filter]) -> Filter {
        combine(filters) { .or($0) }
    }

    /// Holds when all of the filters do. A single filter stands for itself; empty ones are dropped.
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

/// A filter before it is known which collection it is for.
indirect enum FilterNode: Sendable {
    case field(FieldPathSegments, QueryFilter.FieldOperator, Value)
    case and([FilterNode])
    case or([FilterNode])

    /// A composite of nothing.
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
        var result: [QueryFilter] = []
        for node in nodes { result.append(try node.filter(for: scope, database: database)) }
        return result
    }
}
