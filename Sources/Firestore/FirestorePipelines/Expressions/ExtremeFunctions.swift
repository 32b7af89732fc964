// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The greatest and the least of several values or of the elements of an array, in the total order over all types. `null` and missing
/// values do not count.
enum ExtremeFunctions {
    static let all: [FunctionDefinition] = [
        extreme("maximum") { $0 > 0 },
        extreme("minimum") { $0 < 0 },
        extremes("maximum_n") { $0 > 0 },
        extremes("minimum_n") { $0 < 0 },
    ]

    /// `isBetter` gets the order of a value and the best one so far.
    private static func extreme(_ name: String, _ isBetter: @escaping @Sendable (Int) -> Bool) -> FunctionDefinition {
        .values(name, .any, arity: 1...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            var best: EvaluatedValue?
            func consider(_ value: EvaluatedValue) {
                if value.isNothing { return }
                if best.map({ isBetter(ComparisonFunctions.compare(value, $0)) }) ?? true { best = value }
            }
            if arguments.count == 1, let elements = arguments[0].elements {
                for view in elements {
                    try execution.step()
                    consider(arguments[0].part(view))
                }
            } else {
                for argument in arguments { consider(argument) }
            }
            return best ?? .null
        }
    }

    /// So many values, the best one first. Equal values are in the order of the elements.
    private static func extremes(_ name: String, _ isBetter: @escaping @Sendable (Int) -> Bool) -> FunctionDefinition {
        .two(name, .array, .integer) { array, count, execution throws(FirestoreError) in
            guard let elements = array.elements, let count = count.integer else { return .null }
            guard count >= 0 else { return .fail("the number of values of \(name) must not be negative") }
            var views = elements.filter { !$0.isNull }
            try execution.budget.admit(views.count * MemoryLayout<ValueView>.stride)
            views.sort { isBetter(ValueOrdering.compare($0, $1)) }
            var result = ArrayBuilder()
            for view in views.prefix(Int(count)) { result.append(view) }
            return result.value()
        }
    }
}
