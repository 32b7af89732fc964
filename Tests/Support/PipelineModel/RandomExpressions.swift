// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RandomPipelines {
    private mutating func field(_ names: [String], _ state: State) -> PipelineArgument {
        let known = names.filter { state.fields.contains($0) }
        return .field(path(number(12) == 0 ? "missing" : known.isEmpty ? pick(state.fields) : pick(known)))
    }

    /// Of any kind.
    mutating func expression(_ state: State, _ depth: Int) -> PipelineArgument {
        switch number(depth == 0 ? 6 : 16) {
        case 0, 1: return .field(path(pick(state.fields)))
        case 2: return .value(value())
        case 3: return state.variables.isEmpty ? .field(path(pick(state.fields))) : .variable(pick(state.variables))
        case 4: return .value(numeric())
        case 5: return .value(text())
        case 6...8: return numeric(state, depth - 1)
        case 9, 10: return textual(state, depth - 1)
        case 11: return condition(state, depth - 1)
        case 12: return list(state, depth - 1)
        case 13: return choice(state, depth - 1)
        case 14: return structure(state, depth - 1)
        default: return state.depth == 0 && number(3) == 0 ? subpipeline(state) : numeric(state, depth - 1)
        }
    }

    private mutating func numeric(_ state: State, _ depth: Int) -> PipelineArgument {
        guard depth > 0 || number(2) == 0 else { return number(2) == 0 ? .value(numeric()) : field(["n", "k", "m.k", "x", "i"], state) }
        switch number(9) {
        case 0...4:
            return .call(pick(["add", "subtract", "multiply", "divide", "mod"]), numeric(state, depth - 1), numeric(state, depth - 1))
        case 5: return .call("abs", numeric(state, depth - 1))
        case 6: return .call("array_length", list(state, depth - 1))
        case 7: return .call(pick(["char_length", "byte_length"]), textual(state, depth - 1))
        default: return .call("cmp", expression(state, max(depth, 0)), expression(state, max(depth, 0)))
        }
    }

    private mutating func textual(_ state: State, _ depth: Int) -> PipelineArgument {
        guard depth > 0 || number(2) == 0 else { return number(2) == 0 ? .value(text()) : field(["s", "b", "x"], state) }
        switch number(6) {
        case 0: return .call("to_upper", textual(state, depth - 1))
        case 1, 2: return .call("string_concat", textual(state, depth - 1), textual(state, depth - 1))
        case 3: return .call("substring", textual(state, depth - 1), .value(.integer(Int64(number(5) - 2))))
        case 4: return .call("type", expression(state, max(depth, 0)))
        default: return .call("document_id", field(["__name__"], state))
        }
    }

    mutating func list(_ state: State, _ depth: Int) -> PipelineArgument {
        switch number(depth <= 0 ? 4 : 8) {
        case 0, 1: return field(["t", "j"], state)
        case 2: return .value(.array((0..<number(4)).map { _ in value() }))
        case 3: return .function(PipelineFunction("array", (0...number(3)).map { _ in expression(state, 0) }))
        case 4: return .call("array_concat", list(state, depth - 1), list(state, depth - 1))
        case 5: return .call("array_reverse", list(state, depth - 1))
        default:
            var inner = state
            inner.variables.append("e")
            let isFilter = number(2) == 0
            let body = isFilter ? condition(inner, depth - 1) : expression(inner, depth - 1)
            return .call(isFilter ? "array_filter" : "array_transform", list(state, depth - 1), .value(.string("e")), body)
        }
    }

    /// Functions that look at what is missing or has failed.
    private mutating func choice(_ state: State, _ depth: Int) -> PipelineArgument {
        let depth = max(depth, 0)
        switch number(5) {
        case 0: return .call("conditional", condition(state, depth), expression(state, depth), expression(state, depth))
        case 1: return .call("if_error", numeric(state, depth), expression(state, depth))
        case 2: return .call("if_absent", expression(state, depth), expression(state, depth))
        case 3: return .call(pick(["if_null", "coalesce"]), expression(state, depth), expression(state, depth))
        default:
            return .function(PipelineFunction(pick(["maximum", "minimum"]), (0...number(3)).map { _ in expression(state, 0) }))
        }
    }

    private mutating func structure(_ state: State, _ depth: Int) -> PipelineArgument {
        let depth = max(depth, 0)
        switch number(4) {
        case 0: return .call("map", .value(.string("k")), expression(state, depth), .value(.string("x")), expression(state, depth))
        case 1: return .call("map_get", field(["m", "a"], state), .value(.string(pick(["k", "x"]))))
        case 2: return .call("array_first", list(state, depth))
        default: return .call("current_document")
        }
    }

    // MARK: Conditions

    /// A condition on the fields of a document.
    package mutating func condition() -> PipelineArgument {
        switch number(4) {
        case 0: condition(State(), 2)
        case 1: .call(pick(["and", "or"]), condition(), condition())
        default: lookup(State())
        }
    }

    mutating func condition(_ state: State, _ depth: Int) -> PipelineArgument {
        switch number(depth <= 0 ? 10 : 16) {
        case 0...3: return comparison(state)
        case 4: return .call(pick(["equal_any", "not_equal_any"]), .field(path(pick(state.fields))), list(state, 0))
        case 5: return .call(pick(["exists", "is_absent"]), .field(path(pick(state.fields))))
        case 6: return .call("array_contains", field(["t", "a", "j"], state), number(4) == 0 ? expression(state, 0) : .value(value()))
        case 7: return .call(pick(["array_contains_any", "array_contains_all"]), field(["t", "a"], state), list(state, 0))
        case 8: return .call(pick(["starts_with", "ends_with", "string_contains"]), textual(state, 0), textual(state, 0))
        case 9: return .call("is_error", numeric(state, 1))
        case 10, 11: return .call("and", condition(state, depth - 1), condition(state, depth - 1))
        case 12: return .call("or", condition(state, depth - 1), condition(state, depth - 1))
        case 13: return .call("not", condition(state, depth - 1))
        case 14: return .call(pick(["equal", "greater_than", "less_than"]), numeric(state, depth - 1), numeric(state, depth - 1))
        default: return number(2) == 0 ? .call("xor", condition(state, depth - 1), condition(state, depth - 1)) : expression(state, depth)
        }
    }

    /// A condition that indexes answer, or two of them.
    mutating func lookup(_ state: State) -> PipelineArgument {
        switch number(8) {
        case 0: .call("array_contains", .field(path(pick(["t", "a"]))), .value(number(2) == 0 ? value() : numeric()))
        case 1: .call("equal_any", .field(path(pick(["a", "k", "n"]))), .value(.array((0...number(3)).map { _ in numeric() })))
        case 2: .call(number(2) == 0 ? "and" : "or", comparison(state), comparison(state))
        case 3: comparison(state)
        default: .call(pick(Self.comparisons), .field(path(pick(["a", "b", "k", "n", "m.k"]))), .value(number(2) == 0 ? value() : numeric()))
        }
    }

    private static let comparisons = [
        "equal", "equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal",
    ]

    /// Of a field with a constant, a variable or another field.
    private mutating func comparison(_ state: State) -> PipelineArgument {
        let name = pick(Self.comparisons)
        let field = PipelineArgument.field(path(pick(state.fields)))
        let operand: PipelineArgument
        switch number(8) {
        case 0 where !state.variables.isEmpty: operand = .variable(pick(state.variables))
        case 1: operand = .field(path(pick(state.fields)))
        case 2, 3: operand = .value(.integer(Int64(number(4))))
        default: operand = .value(value())
        }
        return number(4) == 0 ? .call(name, operand, field) : .call(name, field, operand)
    }
}
