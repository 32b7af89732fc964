// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A function that evaluates an expression for every element of an array, with the element in a variable.
struct ElementFunction: Sendable {
    enum Kind: String, Sendable {
        /// The elements for which the expression is true.
        case filter = "array_filter"
        /// The values of the expression; what is missing becomes `null`.
        case transform = "array_transform"
    }

    let kind: Kind
    let array: Expression
    /// The variable of the element, and that of its index.
    let element: Int
    let index: Int?
    let body: Expression

    func evaluate(_ row: Row, _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let array = try array.evaluate(row, execution)
        if array.failure != nil { return array }
        if array.isNothing { return .null }
        guard let elements = array.elements else { return .fail("\(kind.rawValue) takes no \(array.type.name) as argument 1") }
        let outer = (execution.frame[element], index.map { execution.frame[$0] })
        defer {
            execution.frame[element] = outer.0
            if let index, let value = outer.1 { execution.frame[index] = value }
        }
        var hold = ValueHold(execution)
        try hold.add(array)
        var result = ArrayBuilder()
        for (position, view) in elements.enumerated() {
            try execution.step()
            let part = array.part(view)
            execution.frame[element] = part
            if let index { execution.frame[index] = .integer(Int64(position)) }
            let value = try body.evaluate(row, execution)
            if value.failure != nil { return value }
            let before = result.byteCount
            switch kind {
            case .filter: if value.isTrue { result.append(view) }
            case .transform: result.append(value)
            }
            try hold.add(bytes: result.byteCount - before)
        }
        return result.value()
    }
}
