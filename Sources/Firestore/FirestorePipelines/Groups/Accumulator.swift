// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The functions of a group's rows, by their names on the wire.
enum AccumulatorFunction: String, Sendable, CaseIterable {
    case count
    case countIf = "count_if"
    case countDistinct = "count_distinct"
    case sum, average, minimum, maximum, first, last
    case arrayAgg = "array_agg"
    case arrayAggDistinct = "array_agg_distinct"

    /// Whether its value depends on the order of the rows.
    var seesOrder: Bool {
        switch self {
        case .count, .countIf, .countDistinct, .sum, .average, .minimum, .maximum: false
        case .first, .last, .arrayAgg, .arrayAggDistinct: true
        }
    }

    var arity: ClosedRange<Int> { self == .count ? 0...1 : 1...1 }
}

/// The value of an accumulator over the rows seen so far.
struct Accumulator {
    private enum State {
        case count(Int64)
        case total(NumberTotal)
        /// nil before the first row that counts.
        case value(EvaluatedValue?)
        case distinct(Set<HashKey>)
        case list(ArrayBuilder)
        case distinctList(ArrayBuilder, Set<HashKey>)
    }

    private let function: AccumulatorFunction
    private var state: State

    init(_ function: AccumulatorFunction) {
        self.function = function
        state =
            switch function {
            case .count, .countIf: .count(0)
            case .countDistinct: .distinct([])
            case .sum, .average: .total(NumberTotal())
            case .minimum, .maximum, .first, .last: .value(nil)
            case .arrayAgg: .list(ArrayBuilder())
            case .arrayAggDistinct: .distinctList(ArrayBuilder(), [])
            }
    }

    /// Adds a row, of which `value` is the argument; nil for a function without one. Returns by how much its memory has grown.
    mutating func add(_ value: EvaluatedValue?) throws(FirestoreError) -> Int {
        switch state {
        case .count(let count):
            if try counts(value) { state = .count(count + 1) }
            return 0
        case .total(var total):
            value?.withView { total.add($0) }
            state = .total(total)
            return 0
        case .value(let current):
            guard let value, replaces(current, value) else { return 0 }
            state = .value(value.owned())
            return value.weight - (current?.weight ?? 0)
        case .distinct(var keys):
            guard let value, !value.isNothing else { return 0 }
            state = .count(0)  // the set is not copied
            let key = HashKey(value)
            let isNew = keys.insert(key).inserted
            state = .distinct(keys)
            return isNew ? key.bytes.count + 64 : 0
        case .list(var list):
            state = .count(0)
            list.append(value ?? .null)
            state = .list(list)
            return value?.weight ?? 32
        case .distinctList(var list, var keys):
            state = .count(0)
            let key = HashKey(value ?? .null)
            let isNew = keys.insert(key).inserted
            if isNew { list.append(value ?? .null) }
            state = .distinctList(list, keys)
            return isNew ? 2 * key.bytes.count + 64 : 0
        }
    }

    /// Adds rows that need not be looked at.
    mutating func add(count more: Int) {
        guard function == .count, case .count(let count) = state else { preconditionFailure("\(function) looks at its rows") }
        state = .count(count + Int64(more))
    }

    private func counts(_ value: EvaluatedValue?) throws(FirestoreError) -> Bool {
        guard let value else { return true }
        guard function == .countIf else { return !value.isNothing }
        guard value.isNothing || value.boolean != nil else {
            throw .invalidArgument("count_if takes a condition, not a value of the type \(value.type.name)")
        }
        return value.isTrue
    }

    private func replaces(_ current: EvaluatedValue?, _ value: EvaluatedValue) -> Bool {
        switch function {
        case .first: return current == nil
        case .last: return true
        default:
            if value.isNothing { return false }
            guard let current else { return true }
            let order = ComparisonFunctions.compare(value, current)
            if order == 0 { return value.preferred(to: current) }
            return function == .minimum ? order < 0 : order > 0
        }
    }

    var result: EvaluatedValue {
        switch state {
        case .count(let count): .integer(count)
        case .total(let total): EvaluatedValue(function == .sum ? total.sum : total.average)
        case .value(let value): value.flatMap { $0.isAbsent ? nil : $0 } ?? .null
        case .distinct(let keys): .integer(Int64(keys.count))
        case .list(let list), .distinctList(let list, _): list.value()
        }
    }
}
