// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

extension ExpressionContent {
    /// A parameter of type `Sendable`: an expression as it is, a dictionary as the function `map`, an array as the function `array`, and
    /// everything else as a constant.
    init(literal value: Any?, depth: Int = 0) {
        // Also prevents a hostile dictionary from exhausting the stack.
        guard depth <= PipelineLimits.expressionDepth else {
            self.init(FirestoreError.invalidArgument("maps and arrays nest at most \(PipelineLimits.expressionDepth) levels deep"))
            return
        }
        switch value {
        case nil: self.init(Value.null)
        case let expression as any ContentExpression: self = expression.content
        case let word as any PipelineWord: self.init(Value.string(word.rawValue))
        case let optional as any OptionalValue: self.init(literal: optional.wrapped, depth: depth)
        case let entries as [String: Any]:
            let sorted = entries.sorted { compareUTF8($0.key, $1.key) < 0 }
            self.init(
                call: "map",
                sorted.flatMap { [ExpressionContent(Value.string($0.key)), ExpressionContent(literal: $0.value, depth: depth + 1)] })
        case let elements as [Any]: self.init(call: "array", elements.map { ExpressionContent(literal: $0, depth: depth + 1) })
        case let value?: self.init(constant: value)
        }
    }

    /// A value that Firestore can store.
    init(constant value: Any) {
        do throws(FirestoreError) {
            self.init(try AnyValueParser.constant(value))
        } catch {
            self.init(error)
        }
    }

    /// An argument of a raw stage: as a parameter of type `Sendable`, but dictionaries are maps of arguments, not calls, and aggregate
    /// functions are accepted.
    init(raw value: Any?, depth: Int = 0) {
        guard depth <= PipelineLimits.expressionDepth else {
            self.init(literal: value, depth: depth)
            return
        }
        switch value {
        case let optional as any OptionalValue: self.init(raw: optional.wrapped, depth: depth)
        case let aggregate as AggregateFunction: self = aggregate.content
        case let entries as [String: Any]:
            self.init(entries: entries.map { ($0.key, ExpressionContent(raw: $0.value, depth: depth + 1)) })
        default: self.init(literal: value, depth: depth)
        }
    }

    /// A map of arguments.
    init(entries: [(String, ExpressionContent)]) {
        self.init(ExpressionParts(entries.map(\.1))) { arguments throws(FirestoreError) in
            try .entries(zip(entries.map(\.0), arguments).map { ($0, $1) })
        }
    }

    /// An array of arguments.
    init(elements: [ExpressionContent]) {
        self.init(ExpressionParts(elements)) { arguments throws(FirestoreError) in try .elements(arguments) }
    }
}

/// A named constant of the pipeline API, sent as its name.
protocol PipelineWord {
    var rawValue: String { get }
}
