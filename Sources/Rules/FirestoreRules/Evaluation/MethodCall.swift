// SPDX-License-Identifier: Apache-2.0

/// A call of a method, with the values that it is about.
struct MethodCall {
    let method: MethodName
    let base: RulesValue
    let arguments: [RulesValue]
    let node: NodeID
    let program: Program
    let operands: Operands

    /// The pattern of the first argument: compiled beforehand if the text of the ruleset contains it.
    func pattern(_ text: String) throws(Interruption) -> RulesPattern {
        if let known = program.patterns[Int(program.operands[Int(operands.start)])] { return known }
        guard let pattern = RulesPattern(text) else { throw .failure(.pattern(text)) }
        return pattern
    }

    /// Why the call is impossible: the type has no such method, or not for these arguments.
    var mismatch: Interruption {
        guard let signature = Signature.method(method.rawValue, of: base.type) else {
            return .failure(.functionNotFound(method.rawValue))
        }
        guard signature.parameters.count == arguments.count else {
            return .failure(.argumentCount(received: arguments.count, expected: signature.description))
        }
        let types = arguments.map(\.type.rawValue).joined(separator: ", ")
        return .failure(.unsupported(received: "\(signature.fullName)(\(types))", expected: signature.description))
    }
}

/// Looks for elements of a list: in a hash table if it is long.
struct ElementLookup {
    private let elements: [RulesValue]
    private let equality: ValueEquality
    private let keys: Set<ValueKey>?

    init(_ elements: [RulesValue], _ equality: ValueEquality) {
        self.elements = elements
        self.equality = equality
        let isLong = elements.count > 16 && !elements.contains(where: \.isUndetermined)
        keys = isLong ? Set(elements.compactMap { ValueKey($0, equality: equality) }) : nil
    }

    /// Nil if the filters of a query do not determine it.
    func contains(_ element: RulesValue) -> Bool? {
        if let keys, !element.isUndetermined { return ValueKey(element, equality: equality).map(keys.contains) ?? false }
        var isKnown = true
        for other in elements {
            switch equality.equal(element, other) {
            case true?: return true
            case false?: continue
            case nil: isKnown = false
            }
        }
        return isKnown ? false : nil
    }
}

extension RulesValue {
    /// Whether the filters of a query do not fully determine it.
    var isUndetermined: Bool {
        switch self {
        case .constraint: true
        case .list(.open): true
        case .list(.elements(let elements)): elements.contains(where: \.isUndetermined)
        case .map(.open): true
        case .map(.entries(let map)): map.entries.contains { $0.value.isUndetermined }
        default: false
        }
    }
}
