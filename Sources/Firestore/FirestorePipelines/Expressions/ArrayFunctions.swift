// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Functions of arrays. Elements compare as values do everywhere, so `null` and NaN are found.
enum ArrayFunctions {
    static let all: [FunctionDefinition] = parts + searches + [
        .one("array_length", .array) { array, _ in .integer(Int64(array.elements?.count ?? 0)) },
        .one("array_reverse", .array) { array, _ in reversed(array) },
        .values("array_concat", .array, arity: 2...FunctionDefinition.many) { arguments, execution throws(FirestoreError) in
            try concatenated(arguments, execution)
        },
        .values("join", .array, .text, .text, arity: 2...3, joined),
    ]

    static func reversed(_ array: EvaluatedValue) -> EvaluatedValue {
        var result = ArrayBuilder()
        for view in array.elements.map({ $0.reversed() }) ?? [] { result.append(view) }
        return result.value()
    }

    static func concatenated(_ arrays: [EvaluatedValue], _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        try execution.budget.admit(arrays.reduce(0) { $0 + $1.weight })
        var result = ArrayBuilder()
        for array in arrays { if let elements = array.elements { result.append(contentsOf: elements) } }
        return result.value()
    }

    // MARK: Parts

    private static let parts: [FunctionDefinition] = [
        // An element of a missing array is missing; the other functions return null for it (PQ-6).
        .two("array_get", [.array, .absent], .integer) { array, index, _ in
            array.isAbsent ? .absent : element(index.integer ?? 0, of: array) ?? .absent
        },
        .two("offset", [.array, .absent], .integer) { array, index, _ in
            array.isAbsent ? .absent : element(index.integer ?? 0, of: array) ?? .fail("the array of offset has no element at that index")
        },
        .one("array_first", .array) { array, _ in element(0, of: array) ?? .absent },
        .one("array_last", .array) { array, _ in element(-1, of: array) ?? .absent },
        .two("array_first_n", .array, .integer) { array, count, _ in
            guard let count = count.integer, count >= 0 else {
                return .fail("the number of elements of array_first_n must not be negative")
            }
            return slice(array, from: 0, count)
        },
        .two("array_last_n", .array, .integer) { array, count, _ in
            guard let count = count.integer, count >= 0 else { return .fail("the number of elements of array_last_n must not be negative") }
            return count == 0 ? slice(array, from: 0, 0) : slice(array, from: -count, count)
        },
        .values("array_slice", .array, .integer, .integer, arity: 2...3) { arguments, _ in
            let length = arguments.count == 3 ? arguments[2].integer : .max
            guard let start = arguments[1].integer, let length, length >= 0 else { return .fail("length must be non-negative") }
            return slice(arguments[0], from: start, length)
        },
    ]

    /// A negative index counts from the end. nil if there is no such element.
    private static func element(_ index: Int64, of array: EvaluatedValue) -> EvaluatedValue? {
        guard let elements = array.elements else { return nil }
        let (wanted, overflow) = index < 0 ? index.addingReportingOverflow(Int64(elements.count)) : (index, false)
        guard !overflow, wanted >= 0 else { return nil }
        var iterator = elements.makeIterator()
        var position: Int64 = 0
        while let view = iterator.next() {
            if position == wanted { return array.part(view) }
            position += 1
        }
        return nil
    }

    /// A negative start counts from the end, but not beyond the first element.
    private static func slice(_ array: EvaluatedValue, from start: Int64, _ length: Int64) -> EvaluatedValue {
        guard let elements = array.elements else { return .null }
        let first = start < 0 ? max(0, Int64(elements.count) + start) : start
        var result = ArrayBuilder()
        for view in elements.dropFirst(Int(first)).prefix(Int(length)) { result.append(view) }
        return result.value()
    }

    // MARK: Searches

    private static let searches: [FunctionDefinition] = [
        .two("array_contains", .array, .any) { array, value, _ in .boolean(ComparisonFunctions.isElement(value, of: array)) },
        .two("array_contains_all", .array, .array) { array, wanted, execution throws(FirestoreError) in
            .boolean(try search(array, for: wanted, until: false, execution) == nil)
        },
        .two("array_contains_any", .array, .array) { array, wanted, execution throws(FirestoreError) in
            .boolean(try search(array, for: wanted, until: true, execution) != nil)
        },
        .values("array_index_of", .array, .any, .string, arity: 2...3) { arguments, _ in
            let positions = positions(of: arguments[1], in: arguments[0])
            switch arguments.count == 3 ? arguments[2].string : "first" {
            case "first": return .integer(positions.first ?? -1)
            case "last": return .integer(positions.last ?? -1)
            default: return .fail("the last argument of array_index_of is \"first\" or \"last\"")
            }
        },
        .two("array_index_of_all", .array, .any) { array, value, _ in
            var result = ArrayBuilder()
            for position in positions(of: value, in: array) { result.append(.integer(position)) }
            return result.value()
        },
    ]

    /// The first wanted element of which it is so, or not so, that the array contains it; nil if there is none.
    ///
    /// Arrays may both be long, so that more than a few elements are hashed.
    private static func search(
        _ array: EvaluatedValue, for wanted: EvaluatedValue, until isThere: Bool, _ execution: Execution
    ) throws(FirestoreError) -> ValueView? {
        guard let wanted = wanted.elements?.map({ $0 }), let elements = array.elements else { return nil }
        var keys: ValueKeys?
        if wanted.count > ValueKeys.searched {
            var known = ValueKeys()
            for element in elements {
                try execution.step()
                known.insert(element)
            }
            keys = known
        }
        for view in wanted {
            try execution.step()
            let isFound = if let keys { keys.contains(view) } else { try contains(elements, view, execution) }
            if isFound == isThere { return view }
        }
        return nil
    }

    private static func contains(
        _ elements: ArrayView, _ wanted: ValueView, _ execution: Execution
    ) throws(FirestoreError) -> Bool {
        for view in elements {
            try execution.step()
            if ValueOrdering.equals(view, wanted) { return true }
        }
        return false
    }

    private static func positions(of value: EvaluatedValue, in array: EvaluatedValue) -> [Int64] {
        guard !value.isAbsent, let elements = array.elements else { return [] }
        return value.withView { value in
            elements.enumerated().compactMap { ValueOrdering.equals($0.element, value) ? Int64($0.offset) : nil }
        }
    }

    // MARK: Text

    /// The elements as one text with a delimiter between two of them; `null` is left out, or written as the third argument says.
    private static func joined(_ arguments: [EvaluatedValue], _ execution: Execution) throws(FirestoreError) -> EvaluatedValue {
        let delimiter = arguments[1]
        let kind = delimiter.type
        guard arguments.count == 2 || arguments[2].type == kind else {
            return .fail("join takes a text for null of the type of its delimiter")
        }
        var bytes: [UInt8] = []
        var isFirst = true
        for view in arguments[0].elements?.map({ $0 }) ?? [] {
            try execution.step()
            if view.isNull, arguments.count == 2 { continue }
            let part = view.isNull ? arguments[2] : arguments[0].part(view)
            guard part.type == kind, let text = part.textBytes else {
                return .fail("join takes an array of values of the type \(kind.name), not \(part.type.name)")
            }
            if !isFirst, let between = delimiter.textBytes { bytes += between }
            isFirst = false
            bytes += text
            try TextFunctions.admit(bytes.count, execution)
        }
        return bytes.withUnsafeBytes { .text($0, like: delimiter) }
    }
}
