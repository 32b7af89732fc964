// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RunAggregationQueryRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var parent = ByteSlice.empty
        var aggregation = EmbeddedMessage()
        var consistency = ConsistencyParts()
        var explain = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&parent)
            case 2: aggregation.merge(field)
            case 4: consistency.take(field, as: .transaction)
            case 5: consistency.take(field, as: .newTransaction)
            case 6: consistency.take(field, as: .readTime)
            case 8: explain.merge(field)
            default: break
            }
        }
        guard let aggregation = aggregation.bytes else {
            throw .invalidArgument("the request has no structured_aggregation_query")
        }
        var query = QueryParts()
        var aggregations: [Aggregation] = []
        var inner = MessageReader(aggregation)
        while let field = try inner.next() {
            switch field.number {
            case 1: query.merge(field)
            case 3:
                guard let bytes = field.bytes else { break }
                try Limit.aggregations.check(aggregations.count + 1)
                aggregations.append(try Aggregation(wire: bytes))
            default: break
            }
        }
        let (database, key) = try ResourceName.parent(parent)
        self.init(
            database: database, query: try query.query(under: key, of: DocumentNames(in: database)),
            aggregations: aggregations, consistency: try consistency.selector, explain: try explain.explainOptions)
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.explainOptions(8, explain)
            writer.consistency(consistency, transaction: 4, newTransaction: 5, readTime: 6)
            writer.message(2) { writer in
                for aggregation in aggregations.reversed() { writer.aggregation(3, aggregation) }
                writer.query(1, query)
            }
            writer.parentName(1, database, query.scope.parent)
        }
    }
}

extension Aggregation {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var kind = OneofField()
        var alias = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1...3: kind.take(message: field)
            case 7: try field.read(&alias)
            default: break
            }
        }
        // Count.up_to, Sum.field, Avg.field
        var operand = EmbeddedMessage()
        var inner = MessageReader(kind.bytes)
        while let field = try inner.next() {
            if field.number == 1 { operand.merge(field) }
        }
        let name = alias.utf8.isEmpty ? nil : alias
        switch kind.number {
        case 1: self.init(.count(upTo: try operand.wrappedInteger.map { Int($0) }), alias: name)
        case 2: self.init(.sum(try operand.fieldReference(of: "a sum")), alias: name)
        case 3: self.init(.average(try operand.fieldReference(of: "an average")), alias: name)
        default: throw .invalidArgument("an aggregation needs an operator: count, sum or avg")
        }
    }
}

extension ReverseWriter {
    fileprivate mutating func aggregation(_ number: Int, _ aggregation: Aggregation) {
        message(number) { writer in
            if let alias = aggregation.alias { writer.text(7, alias) }
            switch aggregation.kind {
            case .count(let upTo):
                writer.message(1) { writer in
                    if let upTo { writer.message(1) { $0.integer(1, upTo) } }
                }
            case .sum(let path): writer.message(2) { $0.fieldReference(1, path) }
            case .average(let path): writer.message(3) { $0.fieldReference(1, path) }
            }
        }
    }
}

extension RunAggregationQueryResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var result = EmbeddedMessage()
        var transaction = ByteSlice.empty
        var readTime = EmbeddedMessage()
        var explanation = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: result.merge(field)
            case 2: field.read(&transaction)
            case 3: readTime.merge(field)
            case 10: explanation.merge(field)
            default: break
            }
        }
        self.init(
            values: nil, transaction: transaction.isEmpty ? nil : transaction, readTime: try readTime.version)
        if let bytes = result.bytes { values = try Self.values(bytes) }
        if let bytes = explanation.bytes { self.explanation = try QueryExplanation(wire: bytes) }
    }

    /// The map `AggregationResult.aggregate_fields`.
    private static func values(_ bytes: ByteSlice) throws(FirestoreError) -> [(alias: String, value: Value)] {
        var values: [(alias: String, value: Value)] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 2, let entry = field.bytes else { continue }
            var alias = ""
            var value = EmbeddedMessage()
            var inner = MessageReader(entry)
            while let field = try inner.next() {
                if field.number == 1 { try field.read(&alias) }
                if field.number == 2 { value.merge(field) }
            }
            values.append((alias, try Value(wire: value.bytes ?? .empty, in: "aggregation \(alias)")))
        }
        return values
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.explanation(10, explanation)
            writer.timestamp(3, readTime)
            if let transaction { writer.data(2, transaction) }
            guard let values else { return }
            writer.message(1) { writer in
                for (alias, value) in values.reversed() {
                    writer.message(2) { writer in
                        writer.value(2, value)
                        writer.text(1, alias)
                    }
                }
            }
        }
    }
}
