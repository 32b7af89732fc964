// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import TestSupport

/// Makes pipelines, and documents for them in which all kinds of values meet.
///
/// Pipelines are well-formed. Those in other pipelines have no stage that fails: whether one is run for a row that an index has left out
/// is nothing that a pipeline states.
package struct RandomPipelines {
    private var random: SeededGenerator
    let database: DatabaseID

    package init(seed: UInt64, database: DatabaseID) { (random, self.database) = (SeededGenerator(seed: seed), database) }

    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

    // MARK: Documents

    /// Documents of the collections `c` and `d`, and of `e` below some of `c`. Many lack fields.
    package mutating func documents(_ count: Int) -> [(path: String, fields: FieldMap)] {
        var documents: [(path: String, fields: FieldMap)] = []
        for index in 0..<count {
            documents.append(("c/\(100 + index)", fields()))
            if index % 3 == 0 { documents.append(("d/\(100 + index)", fields())) }
            for inner in 0..<number(8) where inner > 4 { documents.append(("c/\(100 + index)/e/\(inner)", fields())) }
        }
        return documents
    }

    private mutating func fields() -> FieldMap {
        var fields: [(String, Value)] = []
        for name in ["a", "b"] where number(5) > 0 { fields.append((name, value())) }
        if number(6) > 0 { fields.append(("k", .integer(Int64(number(4))))) }
        if number(5) > 0 { fields.append(("n", number(8) == 0 ? value() : numeric())) }
        if number(5) > 0 { fields.append(("s", number(8) == 0 ? value() : text())) }
        if number(5) > 0 { fields.append(("t", number(8) == 0 ? value() : array())) }
        switch number(4) {
        case 0: fields.append(("m", .map(FieldMap([("k", value())]))))
        case 1: fields.append(("m", .map(FieldMap([("k", numeric()), ("x", value())]))))
        case 2: fields.append(("m", value()))
        default: break
        }
        return FieldMap(fields)
    }

    mutating func value() -> Value {
        switch number(12) {
        case 0...2: numeric()
        case 3...4: text()
        case 5: array()
        default:
            pick([
                .null, .null, .boolean(true), .boolean(false), .bytes([0]), .bytes([]), .array([]), .map(FieldMap()),
                .map(FieldMap([("k", .integer(1))])), .map(FieldMap([("k", .double(1)), ("x", .null)])), .vector([1]), .vector([0, 2]),
                .timestamp(TimestampValue(seconds: 5, nanoseconds: 0)), .timestamp(TimestampValue(seconds: 5, nanoseconds: 1_000)),
                .geoPoint(GeoPointValue(latitude: 1, longitude: 2)), reference("c/100"), reference("d/103"), reference("c/100/e/5"),
            ])
        }
    }

    private func reference(_ path: String) -> Value { .reference(database.documentsPrefix + path) }

    mutating func numeric() -> Value {
        pick([
            .integer(0), .integer(1), .integer(1), .integer(2), .integer(-3), .integer(10), .double(1), .double(0), .double(-0.0),
            .double(2.5), .double(-0.1), .double(.nan), .double(.infinity), .double(-.infinity), .integer(9_007_199_254_740_993),
            .double(9_007_199_254_740_992), .integer(.max), .integer(.min), .double(9_223_372_036_854_775_808), .double(1e300),
            .double(.leastNonzeroMagnitude),
        ])
    }

    mutating func text() -> Value { .string(pick(["", "x", "xy", "y", "x%", "Zebra", "ñandú", "日本", "😀x", "x\u{301}"])) }

    private mutating func array() -> Value {
        .array(
            (0..<number(4)).map { _ in
                number(6) == 0 ? .map(FieldMap([("k", numeric())])) : number(3) == 0 ? scalar() : numeric()
            })
    }

    private mutating func scalar() -> Value { pick([.null, .string("x"), .string("y"), .boolean(true), .double(.nan), .map(FieldMap())]) }

    // MARK: Pipelines

    /// What is known before a stage.
    struct State {
        var fields = ["a", "b", "k", "n", "s", "t", "m", "m.k", "__name__"]
        var variables: [String] = []
        /// How many pipelines it is in.
        var depth = 0
        /// Whether a stage may fail.
        var mayFail = true
    }

    /// A pipeline.
    package mutating func pipeline() -> PipelineRequest {
        var state = State()
        return PipelineRequest(stages(&state, most: 5))
    }

    mutating func stages(_ state: inout State, most: Int) -> [PipelineStage] {
        var stages = [source(state)]
        // Conditions behind the source are what indexes are asked for.
        for _ in 0..<number(3) { stages.append(PipelineStage(.where, [number(3) > 0 ? lookup(state) : condition(state, 2)])) }
        if state.depth == 0, number(4) == 0 { stages += [bind(&state), joined(&state)] }
        for _ in 0..<number(most) { stages.append(stage(&state)) }
        return stages
    }

    private mutating func source(_ state: State) -> PipelineStage {
        switch number(state.depth > 0 ? 14 : 20) {
        case 10, 11: return PipelineStage(.collection, [.value(.reference("/d"))])
        case 12: return PipelineStage(.collectionGroup, [.value(.reference("")), .value(.string("e"))])
        case 13 where state.depth > 0: return PipelineStage(.collection, [.value(.reference("/c/100/e"))])
        case 14: return PipelineStage(.database)
        case 15, 16:
            let paths = Set((0...number(4)).map { _ in "/c/\(100 + number(30))" }).sorted { compareUTF8($0, $1) < 0 }
            return PipelineStage(.documents, paths.map { .value(.reference($0)) })
        case 17:
            return PipelineStage(.literals, (0...number(3)).map { _ in .value(.map(fields())) })
        default: return PipelineStage(.collection, [.value(.reference("/c"))])
        }
    }

    private mutating func stage(_ state: inout State) -> PipelineStage {
        switch number(22) {
        case 0...3: return PipelineStage(.where, [condition(state, 2)])
        case 4, 5: return select(&state)
        case 6: return PipelineStage(.addFields, [shape(&state, names: ["a", "x", "y", "m.x", "z.q"])])
        case 7: return PipelineStage(.removeFields, [.field(path(pick(["a", "m.k", "m", "z", "t"])))])
        case 8...10: return PipelineStage(.sort, (0...number(2)).map { _ in order(state) })
        case 11: return PipelineStage(.limit, [.value(.integer(Int64(1 + number(9))))])
        case 12: return PipelineStage(.offset, [.value(.integer(Int64(number(5))))])
        case 13, 14: return aggregate(&state)
        case 15: return distinct(&state)
        case 16: return unnest(&state)
        case 17, 18: return joined(&state)
        case 19: return union(&state)
        case 20: return replace(&state)
        default: return bind(&state)
        }
    }

    func path(_ text: String) -> FieldPathSegments { FieldPathSegments(text.split(separator: ".").map { String($0) }) }

    /// A map of arguments. Its keys differ.
    private func map(_ entries: [(String, PipelineArgument)]) -> PipelineArgument {
        (try? PipelineArgument.entries(entries)) ?? .map([])
    }

    private mutating func shape(_ state: inout State, names: [String]) -> PipelineArgument {
        var entries: [(String, PipelineArgument)] = []
        var names = names
        for _ in 0...number(2) {
            let name = names.remove(at: number(names.count))
            entries.append((name, safe(expression(state, 2), state)))
        }
        state.fields += entries.map(\.0)
        return map(entries)
    }

    private mutating func select(_ state: inout State) -> PipelineStage {
        var entries: [(String, PipelineArgument)] = []
        for name in ["k", "a", "__name__"] where number(3) == 0 && state.fields.contains(name) {
            entries.append((name, .field(path(name))))
        }
        var fields = entries.map(\.0)
        if number(2) == 0 || entries.isEmpty {
            var inner = state
            entries += (shape(&inner, names: ["b", "n", "x", "y.q"]).entries ?? []).map { ($0.key, $0.value) }
            fields = entries.map(\.0)
        }
        state.fields = fields
        return PipelineStage(.select, [map(entries)])
    }

    private mutating func order(_ state: State) -> PipelineArgument {
        let expression = number(4) == 0 ? expression(state, 1) : .field(path(pick(state.fields)))
        return map([("expression", expression), ("direction", .value(.string(number(2) == 0 ? "ascending" : "descending")))])
    }

    private mutating func aggregate(_ state: inout State) -> PipelineStage {
        var accumulators: [(String, PipelineArgument)] = []
        var names = ["n", "a", "x", "y"]
        for _ in 0...number(3) { accumulators.append((names.remove(at: number(names.count)), accumulator(state))) }
        let groups = keys(state, number(3) - 1)
        state.fields = accumulators.map(\.0) + groups.map(\.0)
        state.variables = []
        return PipelineStage(.aggregate, [map(accumulators), map(groups)])
    }

    private mutating func accumulator(_ state: State) -> PipelineArgument {
        switch number(12) {
        case 0: return .call("count")
        case 1: return .call("count_if", .call("equal", safe(condition(state, 1), state), .value(.boolean(true))))
        default:
            let functions = [
                "count", "count_distinct", "sum", "sum", "average", "minimum", "maximum", "first", "last", "array_agg",
                "array_agg_distinct",
            ]
            return .call(pick(functions), number(3) == 0 ? safe(expression(state, 1), state) : .field(path(pick(state.fields))))
        }
    }

    private mutating func keys(_ state: State, _ count: Int) -> [(String, PipelineArgument)] {
        var names = ["k", "g", "h"]
        return (0..<max(0, count)).map { _ in
            let name = names.remove(at: number(names.count))
            return (name, number(3) == 0 ? safe(expression(state, 1), state) : .field(path(pick(state.fields))))
        }
    }

    private mutating func distinct(_ state: inout State) -> PipelineStage {
        let keys = keys(state, 1 + number(2))
        state.fields = keys.map(\.0)
        state.variables = []
        return PipelineStage(.distinct, [map(keys)])
    }

    private mutating func unnest(_ state: inout State) -> PipelineStage {
        let array = number(4) == 0 ? safe(list(state, 1), state) : .field(path(state.fields.contains("t") ? "t" : pick(state.fields)))
        let alias = pick(["t", "x", "u"])
        state.fields += [alias, "i"]
        let options: [String: PipelineArgument] = number(2) == 0 ? ["index_field": .field(path("i"))] : [:]
        return PipelineStage(.unnest, [array, .field(path(alias))], options: options)
    }

    private mutating func union(_ state: inout State) -> PipelineStage {
        guard state.depth == 0 else { return PipelineStage(.limit, [.value(.integer(7))]) }
        var other = State()
        other.depth = 1
        other.mayFail = state.mayFail
        let stages = stages(&other, most: 3)
        state.fields = Array(Set(state.fields + other.fields)).sorted { compareUTF8($0, $1) < 0 }
        // The rows of the other pipeline have none.
        state.variables = []
        return PipelineStage(.union, [.pipeline(stages)])
    }

    private mutating func replace(_ state: inout State) -> PipelineStage {
        let mode = pick(["full_replace", "full_replace", "merge_overwrite_existing", "merge_keep_existing"])
        guard state.mayFail else { return PipelineStage(.limit, [.value(.integer(3))]) }
        let other = PipelineArgument.field(path(pick(state.fields)))
        let map = number(2) == 0 ? map([("k", expression(state, 1)), ("x", other)]) : .field(path("m"))
        if mode == "full_replace" { state.fields = ["k", "x"] } else { state.fields += ["x"] }
        return PipelineStage(.replaceWith, [map, .value(.string(mode))])
    }

    private mutating func bind(_ state: inout State) -> PipelineStage {
        let name = pick(["v", "w"])
        let stage = PipelineStage(.let, [map([(name, safe(expression(state, 1), state))])])
        if !state.variables.contains(name) { state.variables.append(name) }
        return stage
    }

    /// A pipeline in an expression that reads a variable.
    private mutating func joined(_ state: inout State) -> PipelineStage {
        guard state.depth < 2, !state.variables.isEmpty else { return bind(&state) }
        state.fields.append("j")
        return PipelineStage(.addFields, [map([("j", subpipeline(state))])])
    }

    mutating func subpipeline(_ state: State) -> PipelineArgument {
        var inner = State()
        inner.variables = state.variables
        inner.depth = state.depth + 1
        inner.mayFail = false
        var stages = [source(inner)]
        if state.fields.contains("__name__"), state.depth == 0, number(5) == 0, state.mayFail {
            stages = [PipelineStage(.subcollection, [.value(.string("e"))])]
        }
        if let variable = inner.variables.last, number(5) > 0 {
            let field = PipelineArgument.field(path(pick(["k", "a", "n", "__name__", "m.k"])))
            stages.append(PipelineStage(.where, [.call(pick(["equal", "equal", "less_than", "equal_any"]), field, .variable(variable))]))
        }
        for _ in 0..<number(3) { stages.append(stage(&inner)) }
        let isScalar = number(2) == 0
        if isScalar { stages.append(number(2) == 0 ? aggregate(&inner) : PipelineStage(.limit, [.value(.integer(1))])) }
        return .call(isScalar ? "scalar" : "array", .pipeline(stages))
    }

    /// An expression where a failure ends the request: mostly one that does not fail.
    mutating func safe(_ expression: PipelineArgument, _ state: State) -> PipelineArgument {
        if case .field = expression { return expression }
        return state.mayFail && number(4) == 0 ? expression : .call("if_error", expression, .value(.string("failed")))
    }
}
