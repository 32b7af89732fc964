// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Equality, order, arithmetic and membership (SR-49 … SR-56).
extension Evaluation {
    /// Whether a node may rest on what the filters of a query do not prove.
    func assumes(_ node: NodeID) -> Bool { takesAssumptions && program.assumptions.contains(node) }

    private func decided(_ answer: Bool?) throws(Interruption) -> Bool {
        guard let answer else { throw .failure(.notProven) }
        return answer
    }

    // MARK: Equality

    func equal(_ left: RulesValue, _ right: RulesValue, at node: NodeID) throws(Interruption) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return equalUTF8(left, right)
        case (.constraint(let constraint), let other) where constraint.equalNumber == nil: return try constraint.equals(other)
        case (let other, .constraint(let constraint)) where constraint.equalNumber == nil: return try constraint.equals(other)
        default: return try decided(equality(.comparison, at: node).equal(left, right))
        }
    }

    func notEqual(_ left: RulesValue, _ right: RulesValue, at node: NodeID) throws(Interruption) -> Bool {
        switch (left, right) {
        case (.constraint(let constraint), let other) where constraint.equalNumber == nil: return try constraint.differs(from: other)
        case (let other, .constraint(let constraint)) where constraint.equalNumber == nil: return try constraint.differs(from: other)
        default: return !(try equal(left, right, at: node))
        }
    }

    /// An equality that may take the spelling of the query's numbers, if the check warned about it.
    func equality(_ equality: ValueEquality, at node: NodeID) -> ValueEquality { equality.taking(spelling: assumes(node)) }

    // MARK: Order

    func compare(_ op: Comparison, _ left: RulesValue, _ right: RulesValue) throws(Interruption) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            switch op {
            case .less: return left < right
            case .lessOrEqual: return left <= right
            case .greater: return left > right
            case .greaterOrEqual: return left >= right
            }
        case (.float(let left), .float(let right)): return compareFloats(op, left, right)
        case (.int(let left), .float(let right)): return compareFloats(op, Double(left), right)
        case (.float(let left), .int(let right)): return compareFloats(op, left, Double(right))
        case (.string(let left), .string(let right)): return op.accepts(compareUTF8(left, right))
        case (.timestamp(let left), .timestamp(let right)): return op.accepts(left < right ? -1 : left == right ? 0 : 1)
        case (.duration(let left), .duration(let right)): return op.accepts(left < right ? -1 : left == right ? 0 : 1)
        case (.bytes(let left), .bytes(let right)):
            defer { withExtendedLifetime((left, right)) {} }
            return op.accepts(compareBytes(left.buffer, right.buffer))
        case (.constraint(let constraint), let other): return try compareConstraint(op, constraint, other)
        case (let other, .constraint(let constraint)): return try compareConstraint(op.mirrored, constraint, other)
        default: throw unsupported(op.rawValue, left, right, Self.orderedTypes(op.rawValue))
        }
    }

    /// NaN is neither less nor greater than anything.
    private func compareFloats(_ op: Comparison, _ left: Double, _ right: Double) -> Bool {
        switch op {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    private func compareConstraint(_ op: Comparison, _ constraint: FieldConstraint, _ other: RulesValue) throws(Interruption) -> Bool {
        guard constraint.equalNumber != nil else { return try constraint.satisfies(op, other) }
        return try agreed(constraint) { (number) throws(Interruption) in try compare(op, number, other) }
    }

    /// The answer for a number whose spelling is unknown, if every spelling gives the same.
    private func agreed(
        _ constraint: FieldConstraint, _ answer: (RulesValue) throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        var result: Bool?
        for spelling in constraint.spellings {
            let next = try answer(spelling)
            if let result, result != next { throw .failure(.notProven) }
            result = next
        }
        return try decided(result)
    }

    private static func orderedTypes(_ op: String) -> String {
        ["string", "bytes", "int", "float", "duration", "timestamp"].map { "\($0) \(op) \($0)" }.joined(separator: ", ")
            + ", constraint \(op) any, any \(op) constraint"
    }

    func unsupported(_ op: String, _ left: RulesValue, _ right: RulesValue, _ expected: String) -> Interruption {
        .failure(.unsupported(received: "\(left.type.rawValue) \(op) \(right.type.rawValue)", expected: expected))
    }

    // MARK: Arithmetic

    func compute(_ op: Arithmetic, _ left: RulesValue, _ right: RulesValue, at node: NodeID) throws(Interruption) -> RulesValue {
        switch (left, right) {
        case (.int(let left), .int(let right)): return .int(try integers(op, left, right))
        case (.float(let left), .float(let right)): return .float(floats(op, left, right))
        case (.int(let left), .float(let right)): return .float(floats(op, Double(left), right))
        case (.float(let left), .int(let right)): return .float(floats(op, left, Double(right)))
        case (.constraint(let constraint), _):
            guard let number = constraint.equalNumber else { break }
            if assumes(node) { return try compute(op, number, right, at: node) }
            return try spelled(constraint) { (number) throws(Interruption) in try compute(op, number, right, at: node) }
        case (_, .constraint(let constraint)):
            guard let number = constraint.equalNumber else { break }
            if assumes(node) { return try compute(op, left, number, at: node) }
            return try spelled(constraint) { (number) throws(Interruption) in try compute(op, left, number, at: node) }
        case (.string(let left), .string(let right)) where op == .add:
            guard left.utf8.count + right.utf8.count <= RulesLimits.stringLength else { throw Self.tooLong }
            return .string(left + right)
        case (.duration(let left), .duration(let right)) where op == .add: return .duration(try fitting(left + right))
        case (.duration(let left), .duration(let right)) where op == .subtract:
            return .duration(try fitting(left + fitting(-right)))
        case (.timestamp(let time), .duration(let duration)) where op == .add: return try moved(time, by: duration)
        case (.duration(let duration), .timestamp(let time)) where op == .add: return try moved(time, by: duration)
        case (.timestamp(let time), .duration(let duration)) where op == .subtract: return try moved(time, by: fitting(-duration))
        case (.timestamp(let left), .timestamp(let right)) where op == .subtract:
            return .duration(
                try fitting(
                    DurationValue(seconds: left.seconds - right.seconds, nanoseconds: Int64(left.nanoseconds) - Int64(right.nanoseconds))))
        default: break
        }
        throw unsupported(op.rawValue, left, right, Self.operandTypes(op))
    }

    private static func operandTypes(_ op: Arithmetic) -> String {
        var types = ["int \(op.rawValue) int", "float \(op.rawValue) float"]
        if op == .add { types += ["string + string", "duration + duration", "duration + timestamp", "timestamp + duration"] }
        if op == .subtract { types += ["duration - duration", "timestamp - duration", "timestamp - timestamp"] }
        return types.joined(separator: ", ")
    }

    static var tooLong: Interruption { .failure(.other("The result is too long.")) }

    private func integers(_ op: Arithmetic, _ left: Int64, _ right: Int64) throws(Interruption) -> Int64 {
        switch op {
        case .divide, .remainder:
            if right == 0 { throw .failure(.divideByZero) }
            // The lowest integer divided by −1 stays what it is (SR-54).
            if right == -1 { return op == .divide ? 0 &- left : 0 }
            return op == .divide ? left / right : left % right
        case .add, .subtract, .multiply:
            let (result, overflow) =
                op == .add
                ? left.addingReportingOverflow(right)
                : op == .subtract ? left.subtractingReportingOverflow(right) : left.multipliedReportingOverflow(by: right)
            guard !overflow else { throw .failure(.integerRange) }
            return result
        }
    }

    private func floats(_ op: Arithmetic, _ left: Double, _ right: Double) -> Double {
        switch op {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }

    func fitting(_ duration: DurationValue?) throws(Interruption) -> DurationValue {
        guard let duration else { throw .failure(.other("Duration value is out of range.")) }
        return duration
    }

    private func moved(_ time: TimestampValue, by duration: DurationValue) throws(Interruption) -> RulesValue {
        let (seconds, overflow) = time.seconds.addingReportingOverflow(duration.seconds)
        let nanoseconds = Int64(time.nanoseconds) + Int64(duration.nanoseconds)
        guard !overflow, let result = Calendar.timestamp(seconds: seconds, nanoseconds: nanoseconds) else {
            throw .failure(.other("Timestamp value is out of range."))
        }
        return .timestamp(result)
    }

    func negate(_ operand: RulesValue) throws(Interruption) -> RulesValue {
        switch operand {
        case .int(let value):
            guard value != .min else { throw .failure(.integerRange) }
            return .int(-value)
        case .float(let value): return .float(-value)
        case .duration(let value): return .duration(try fitting(-value))
        case .constraint(let constraint) where constraint.equalNumber != nil:
            return try spelled(constraint) { (number) throws(Interruption) in try negate(number) }
        default:
            throw .failure(.unsupported(received: "-\(operand.type.rawValue)", expected: "-int, -float, -duration"))
        }
    }

    /// The result for a number whose spelling is unknown: a number whose spelling is unknown, if all are equal.
    private func spelled(
        _ constraint: FieldConstraint, _ compute: (RulesValue) throws(Interruption) -> RulesValue
    ) throws(Interruption) -> RulesValue {
        var result: RulesValue?
        for spelling in constraint.spellings {
            let next = try compute(spelling)
            if let result, ValueEquality.numeric.equal(result, next) != true || !Self.isSmall(next) { throw .failure(.notProven) }
            result = result ?? next
        }
        switch result {
        case .int?, .float?: return .constraint(FieldConstraint(equalTo: result ?? .null))
        case let result?: return result
        case nil: throw .failure(.notProven)
        }
    }

    /// Whether a number is so small that both kinds represent it and its neighbours.
    private static func isSmall(_ value: RulesValue) -> Bool {
        switch value {
        case .int(let value): value.magnitude < 1 << 53
        case .float(let value): abs(value) < 0x1p53
        default: true
        }
    }

    // MARK: Types and membership

    func isInstance(_ value: RulesValue, of type: ValueType, at node: NodeID) throws(Interruption) -> Bool {
        guard case .constraint(let constraint) = value else { return value.isInstance(of: type) }
        guard let number = constraint.equalNumber else {
            // A field that filters only bound has a separate type in every document. `is constraint` asks about the query.
            if type == .constraint, assumes(node) { return true }
            guard type != .constraint, constraint.excludes(type) else { throw .failure(.notProven) }
            return false
        }
        if assumes(node) { return number.isInstance(of: type) }
        return try agreed(constraint) { (number) throws(Interruption) in number.isInstance(of: type) }
    }

    /// `in` (SR-55)
    func isMember(_ element: RulesValue, of container: RulesValue, at node: NodeID) throws(Interruption) -> Bool {
        switch container {
        case .list(let list): return try contains(list, element, at: node)
        case .set(let set):
            if case .constraint = element { return try contains(.elements(set.elements), element, .numeric, at: node) }
            return set.contains(element)
        case .map(let map):
            guard case .string(let name) = element else {
                throw unsupported("in", element, container, "any in list, any in set, string in map")
            }
            if map[name] != nil { return true }
            if map.isOpen, !assumes(node) { throw .failure(.notProven) }
            return false
        case .constraint(let constraint): return try constraint.contains(element, takesSpelling: assumes(node))
        default: throw .failure(.functionNotFound("in"))
        }
    }

    func contains(
        _ list: ListValue, _ element: RulesValue, _ equality: ValueEquality = .element, at node: NodeID
    ) throws(Interruption) -> Bool {
        if case .constraint(let constraint) = element, constraint.equalNumber == nil, !equality.isNumeric, !list.isOpen {
            // Not in the list if the filters exclude each of its elements.
            guard list.elements.allSatisfy(constraint.excludes) else { throw .failure(.notProven) }
            return false
        }
        let equality = self.equality(equality, at: node)
        if case .stored(let bytes) = list, case .string(let text) = element { return Self.contains(bytes, text) }
        var isKnown = !list.isOpen
        for other in list.elements {
            switch equality.equal(element, other) {
            case true?: return true
            case false?: continue
            case nil: isKnown = false
            }
        }
        guard isKnown else { throw .failure(.notProven) }
        return false
    }

    /// Looks for a string in an encoded list, in place.
    private static func contains(_ list: ByteSlice, _ text: String) -> Bool {
        defer { withExtendedLifetime(list) {} }
        var text = text
        return text.withUTF8 { text in
            ArrayView(list.buffer).contains { element in
                element.stringBytes.map { $0.count == text.count && compareBytes($0, UnsafeRawBufferPointer(text)) == 0 } ?? false
            }
        }
    }
}
