// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An expression with a name: a field, or the result of ``Expression/as(_:)``.
public protocol Selectable: Sendable {}

/// An expression with a name, made by ``Expression/as(_:)``.
///
/// The name is a field path: `` `a.b` `` in back-ticks is one name, `a.b` without them a field of a map.
public struct AliasedExpression: Selectable {
    let alias: String
    let content: ExpressionContent
}

/// What every selection of this module is besides.
protocol AliasedContent: Selectable {
    var alias: String { get }
    var content: ExpressionContent { get }
}

extension AliasedExpression: AliasedContent {}

extension ExpressionContent {
    /// A map of names and expressions. A name that occurs twice is a fault.
    init(fields: [any Selectable]) {
        var entries: [(String, ExpressionContent)] = []
        var faults = PipelineFaults()
        for field in fields {
            guard let field = field as? any AliasedContent else {
                faults.add(
                    PipelineFaults(.invalidArgument("\(type(of: field)) cannot be selected; use a Field, or an expression with as(_:)")))
                continue
            }
            entries.append((field.alias, field.content))
        }
        self.init(named: entries, in: "selectables", faults)
    }

    /// A map of names and aggregate functions. A name that occurs twice is a fault.
    init(accumulators: [AliasedAggregate]) {
        self.init(named: accumulators.map { ($0.alias, $0.function.content) }, in: "accumulators", PipelineFaults())
    }

    private init(named entries: [(String, ExpressionContent)], in list: String, _ faults: PipelineFaults) {
        var faults = faults
        for (index, entry) in entries.enumerated() where entries[..<index].contains(where: { equalUTF8($0.0, entry.0) }) {
            faults.add(PipelineFaults(construction: "Duplicate alias '\(entry.0)' found in \(list)."))
        }
        let map = ExpressionContent(entries: entries)
        faults.add(map.faults)
        // A map of names is no level of its own.
        self.init(map.argument, faults, depth: map.depth - 1, database: map.database)
    }
}
