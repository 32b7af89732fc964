// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreTransfer

/// The query: the same options for every command that takes one.
struct QueryOptions: ParsableArguments {
    @Argument(
        help: "The collection: cities, or cities/SF/landmarks; with --group a collection id.",
        completion: .custom(PathCompletion.collections))
    var collection: String

    @Flag(help: "All collections with this id, at any depth; with a path, those below its document.")
    var group = false

    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp(
            "Only documents that meet a condition, such as 'population > 1000000'. Several must all hold.", valueName: "condition"))
    var conditions: [String] = []

    @Option(
        name: .customLong("any"),
        help: ArgumentHelp("Like --where, but only one of several --any must hold.", valueName: "condition"))
    var alternatives: [String] = []

    @Option(
        help: ArgumentHelp(
            "Sort by a field; append :desc for descending order. Several: by the first, then by the next.", valueName: "field[:desc]"))
    var orderBy: [String] = []

    @Option(help: ArgumentHelp("Return at most n documents, the first ones.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Return at most n documents, the last ones. Requires --order-by.", valueName: "n"))
    var limitToLast: Int?

    @Option(help: ArgumentHelp("Skip the first n documents; they are read nevertheless.", valueName: "n"))
    var offset: Int?

    @Option(help: ArgumentHelp("Start at these values of the --order-by fields, inclusive: '860000, \"SF\"'.", valueName: "values"))
    var startAt: String?

    @Option(help: ArgumentHelp("Start after these values.", valueName: "values"))
    var startAfter: String?

    @Option(help: ArgumentHelp("End at these values, inclusive.", valueName: "values"))
    var endAt: String?

    @Option(help: ArgumentHelp("End before these values.", valueName: "values"))
    var endBefore: String?

    @Option(help: ArgumentHelp("Only these fields, separated by commas; __name__ alone for none.", valueName: "fields"))
    var select: [String] = []

    func validate() throws {
        if limit != nil, limitToLast != nil { throw ValidationError("--limit and --limit-to-last exclude each other") }
        if startAt != nil, startAfter != nil { throw ValidationError("--start-at and --start-after exclude each other") }
        if endAt != nil, endBefore != nil { throw ValidationError("--end-at and --end-before exclude each other") }
        if limitToLast != nil, orderBy.isEmpty { throw ValidationError("--limit-to-last requires --order-by") }
        for (name, number) in [("--limit", limit), ("--limit-to-last", limitToLast), ("--offset", offset)] {
            if let number, !(0...Int(Int32.max)).contains(number) {
                throw ValidationError("\(name) must lie between 0 and \(Int32.max), not \(number)")
            }
        }
    }

    /// Whether there are options beside the collection.
    var isRestricted: Bool {
        !(conditions.isEmpty && alternatives.isEmpty && orderBy.isEmpty && select.isEmpty) || limit != nil || limitToLast != nil
            || offset != nil || startAt != nil || startAfter != nil || endAt != nil || endBefore != nil
    }

    /// The query that the options describe. Its validity is checked where it runs.
    func query(in database: DatabaseID) throws(FirestoreError) -> ClientQuery {
        let scope = try Self.scope(collection, group: group)
        let names = NameOperand(scope: scope, database: database)
        let filter = try Self.filter(conditions, any: alternatives, names)
        var query = StructuredQuery(scope: scope, filter: filter, offset: offset ?? 0, limit: limitToLast ?? limit)
        for order in orderBy { query.orders.append(try Self.order(order)) }
        let (start, end) = (startAt == nil ? "--start-after" : "--start-at", endAt == nil ? "--end-before" : "--end-at")
        query.start = try bound(startAt ?? startAfter, start, before: startAt != nil, query, names)
        query.end = try bound(endAt ?? endBefore, end, before: endBefore != nil, query, names)
        if !select.isEmpty { query.projection = try FieldPathText.list(select) }
        return ClientQuery(query, limitsToLast: limitToLast != nil)
    }

    static func scope(_ collection: String, group: Bool) throws(FirestoreError) -> QueryScope {
        guard group else { return .collection(try PathCheck.collectionPath(collection)) }
        guard collection.utf8.contains(UInt8(ascii: "/")) else {
            try PathCheck.collectionID(collection)
            return .collectionGroup(id: collection, under: nil)
        }
        let path = try PathCheck.collectionPath(collection)
        return .collectionGroup(id: path.id, under: path.parent)
    }

    /// All of `conditions`, and one of `alternatives` if there are any.
    static func filter(
        _ conditions: [String], any alternatives: [String] = [], _ names: NameOperand
    ) throws(FirestoreError) -> QueryFilter? {
        var all: [QueryFilter] = []
        for condition in conditions { all.append(try WhereClause.parse(condition, names)) }
        var any: [QueryFilter] = []
        for condition in alternatives { any.append(try WhereClause.parse(condition, names)) }
        if !any.isEmpty { all.append(any.count == 1 ? any[0] : .or(any)) }
        return all.count > 1 ? .and(all) : all.first
    }

    static func order(_ text: String) throws(FirestoreError) -> SortOrder {
        guard let (path, rest) = try FieldPathText.assignment(text, separator: UInt8(ascii: ":")) else {
            return SortOrder(path: try FieldPathText.parse(text))
        }
        switch rest {
        case "asc": return SortOrder(path: path)
        case "desc": return SortOrder(path: path, direction: .descending)
        default: throw .invalidArgument("asc or desc is expected after the colon", at: "--order-by \(text)")
        }
    }

    private func bound(
        _ text: String?, _ option: String, before: Bool, _ query: StructuredQuery, _ names: NameOperand
    ) throws(FirestoreError) -> QueryBound? {
        guard let text else { return nil }
        let values: [Value]
        do throws(FirestoreError) {
            guard case .array(let elements) = try TypedJSON.value("[\(text)]".utf8, in: names.database).value else { return nil }
            values = elements
        } catch {
            throw .invalidArgument("values in typed JSON are expected, separated by commas: \(error.message)", at: "\(option) \(text)")
        }
        guard !values.isEmpty, values.count <= query.orders.count else {
            throw .invalidArgument(
                "there must be a value for the first --order-by, or for the first few; there are \(query.orders.count) of these and "
                    + "\(values.count) values", at: "\(option) \(text)")
        }
        var columns: [ValueBytes] = []
        for (value, order) in zip(values, query.orders) {
            columns.append(ValueBytes(order.path.isDocumentID ? try names.reference(value) : value))
        }
        return QueryBound(values: columns, before: before)
    }
}
