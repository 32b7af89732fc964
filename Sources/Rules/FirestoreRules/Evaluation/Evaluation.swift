// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Evaluates conditions for one operation.
///
/// Every expression costs a part of the budget (SR-122). Recursion is bounded by the budget, too.
///
/// Not copyable: it is large, and there is one at a time.
struct Evaluation<Recorder: EvaluationRecorder>: ~Copyable {
    let ruleSet: RuleSet
    let facts: RequestFacts
    /// The pattern of the match whose statements are consulted.
    var pattern = 0
    /// The rest of the budget.
    var remaining = RulesLimits.evaluations
    var accesses: DocumentAccesses
    var recorder: Recorder
    /// Whether lists may rest on what filters do not prove, where the check warns about it (SR-96).
    let takesAssumptions: Bool
    /// The arguments and variables of the functions that are being called.
    private var locals: [Local] = []
    /// Where those of the innermost function begin.
    private var frame = 0
    var patternBudget: RulesPattern.Budget
    /// Whether a condition looked at the time of the request.
    var usesTime = false
    /// The arguments of `debug`.
    var debugged: [(node: NodeID, value: RulesValue)] = []

    /// The value of an argument or variable. One without a value does no harm until it is used (SR-26).
    enum Local {
        case value(RulesValue)
        case failure(EvaluationFailure)
    }

    init(
        _ ruleSet: RuleSet, _ facts: RequestFacts, accesses: DocumentAccesses,
        patternBudget: RulesPattern.Budget, recorder: Recorder, takesAssumptions: Bool
    ) {
        self.patternBudget = patternBudget
        self.ruleSet = ruleSet
        self.facts = facts
        self.accesses = accesses
        self.recorder = recorder
        self.takesAssumptions = takesAssumptions
    }

    var program: Program { ruleSet.rules.program }

    // MARK: Nodes

    mutating func value(_ node: NodeID) throws(Interruption) -> RulesValue {
        guard Recorder.isRecording else { return try compute(node) }
        do throws(Interruption) {
            let value = try compute(node)
            recorder.record(node, value)
            return value
        } catch {
            recorder.record(node, error)
            throw error
        }
    }

    /// The value of a condition, which must be true or false (SR-41).
    mutating func condition(_ node: Int32) throws(Interruption) -> Bool {
        switch try value(Int(node)) {
        case .bool(let value): return value
        case .null: throw .failure(.nullValue)
        case let other: throw .failure(.type(received: other.type, expected: "bool"))
        }
    }

    /// Evaluates the condition of an allow statement.
    mutating func result(of condition: NodeID) -> Result<Bool, Interruption> {
        do throws(Interruption) {
            return .success(try self.condition(Int32(condition)))
        } catch {
            return .failure(error)
        }
    }

    mutating func spend(_ cost: Int) throws(Interruption) {
        remaining -= cost
        if remaining < 0 { throw .exhausted }
    }

    private mutating func compute(_ id: NodeID) throws(Interruption) -> RulesValue {
        remaining -= 1
        if remaining < 0 { throw .exhausted }
        switch program.nodes[id] {
        case .constant(let index): return program.constants[Int(index)]
        case .boolean(let value): return .bool(value)
        case .integer(let value): return .int(value)
        case .null: return .null
        case .request: return .map(.request(facts))
        case .resource: return facts.resource
        case .capture(let index, _): return try capture(Int(index))
        case .local(let index):
            switch locals[frame + Int(index)] {
            case .value(let value): return value
            case .failure(let failure): throw .failure(failure)
            }
        case .unknownName: throw .failure(.nullValue)
        case .member(let base, let name): return try member(Int(base), Int(name))
        case .not(let operand): return .bool(!(try truth(operand, of: "!")))
        case .and(let left, let right): return .bool(try and(left, right))
        case .or(let left, let right): return .bool(try or(left, right))
        case .equal(let left, let right):
            let left = try operand(Int(left))
            return .bool(try equal(left, operand(Int(right)), at: id))
        case .notEqual(let left, let right):
            let left = try value(Int(left))
            return .bool(try notEqual(left, value(Int(right)), at: id))
        case .comparison(let op, let left, let right):
            let left = try value(Int(left))
            return .bool(try compare(op, left, value(Int(right))))
        case .membership(let left, let right):
            let left = try value(Int(left))
            return .bool(try isMember(left, of: value(Int(right)), at: id))
        case .conditional(let condition, let then, let otherwise): return try conditional(condition, then, otherwise)
        case .call(let function, let operands): return try call(Int(function), operands)
        case .method(let method, let receiver, let operands): return try callMethod(method, receiver, operands, at: id)
        case .access(let access, let operand): return try read(access, value(Int(operand)))
        default: return try computeRare(id)
        }
    }

    /// The nodes that are rarer, apart to keep the frame of `compute` small.
    @inline(never)
    private mutating func computeRare(_ id: NodeID) throws(Interruption) -> RulesValue {
        switch program.nodes[id] {
        case .negate(let operand): return try negate(value(Int(operand)))
        case .arithmetic(let op, let left, let right):
            let left = try value(Int(left))
            return try compute(op, left, value(Int(right)), at: id)
        case .typeTest(let operand, let type):
            // The name of the type costs one expression.
            try spend(1)
            return .bool(try isInstance(value(Int(operand)), of: type, at: id))
        case .index(let base, let index):
            let base = try value(Int(base))
            return try element(of: base, at: value(Int(index)))
        case .slice(let base, let from, let to):
            let base = try value(Int(base))
            let from = from < 0 ? nil : try value(Int(from))
            return try slice(base, from: from, to: to < 0 ? nil : value(Int(to)))
        case .list(let operands):
            var elements: [RulesValue] = []
            elements.reserveCapacity(Int(operands.count))
            for index in operands.range { elements.append(try value(Int(program.operands[index]))) }
            return .list(.elements(elements))
        case .map(let operands): return try map(operands)
        case .path(let index): return try makePath(program.paths[Int(index)])
        case .library(let function, let operands): return try callLibrary(function, operands, at: id)
        case .unknownFunction(let name): throw .failure(.functionNotFound(program.strings[Int(name)]))
        case .unknownMethod(let receiver, let name, let operands):
            _ = try value(Int(receiver))
            for index in operands.range { _ = try value(Int(program.operands[index])) }
            throw .failure(.functionNotFound(program.strings[Int(name)]))
        case .miscall(let index):
            let call = program.miscalls[Int(index)]
            throw .failure(.argumentCount(received: call.received, expected: call.expected))
        default: throw .failure(.nullValue)
        }
    }

    // MARK: Logic (SR-40 … SR-42)

    private mutating func truth(_ node: Int32, of op: String) throws(Interruption) -> Bool {
        let operand = try value(Int(node))
        guard case .bool(let value) = operand else {
            throw .failure(.unsupported(received: "\(op)\(operand.type.rawValue)", expected: "\(op)bool"))
        }
        return value
    }

    private mutating func and(_ left: Int32, _ right: Int32) throws(Interruption) -> Bool {
        let first: EvaluationFailure?
        do throws(Interruption) {
            if !(try condition(left)) { return false }
            first = nil
        } catch .failure(let failure) {
            first = failure
        }
        // The operator costs two if its right side is evaluated.
        try spend(1)
        let second = try condition(right)
        guard second, let first else { return second }
        throw .failure(first)
    }

    private mutating func or(_ left: Int32, _ right: Int32) throws(Interruption) -> Bool {
        let first: EvaluationFailure?
        do throws(Interruption) {
            if try condition(left) { return true }
            first = nil
        } catch .failure(let failure) {
            first = failure
        }
        try spend(1)
        let second = try condition(right)
        guard !second, let first else { return second }
        throw .failure(first)
    }

    private mutating func conditional(_ condition: Int32, _ then: Int32, _ otherwise: Int32) throws(Interruption) -> RulesValue {
        let isTrue = try self.condition(condition)
        try spend(isTrue ? 1 : 3)
        return try value(Int(isTrue ? then : otherwise))
    }

    // MARK: Names

    private func capture(_ index: Int) throws(Interruption) -> RulesValue {
        switch ruleSet.rules.table.capture(index, of: pattern, at: facts.place) {
        case .segment(let position): return .string(facts.place.path.string(position))
        case .segments(let range): return .path(PathValue(range.map(facts.place.path.string)))
        case .null: throw .failure(.nullValue)
        case .unbound: throw .failure(.unboundWildcard(""))
        }
    }

    private mutating func call(_ index: Int, _ operands: Operands) throws(Interruption) -> RulesValue {
        let start = locals.count
        let caller = frame
        defer {
            locals.removeLast(locals.count - start)
            frame = caller
        }
        // The arguments belong to the caller's frame until all are evaluated; then they begin the new one.
        for index in operands.range {
            let argument = try local(Int(program.operands[index]))
            locals.append(argument)
        }
        frame = start
        for position in program.functions[index].variables.indices {
            try spend(1)
            let value = try local(program.functions[index].variables[position])
            locals.append(value)
        }
        return try value(program.functions[index].result)
    }

    private mutating func local(_ node: NodeID) throws(Interruption) -> Local {
        do throws(Interruption) {
            return .value(try value(node))
        } catch .failure(let failure) {
            return .failure(failure)
        }
    }

    // MARK: Constructors

    private mutating func map(_ operands: Operands) throws(Interruption) -> RulesValue {
        var entries: [(name: String, value: RulesValue)] = []
        for index in stride(from: operands.range.lowerBound, to: operands.range.upperBound, by: 2) {
            let key = try value(Int(program.operands[index]))
            let value = try value(Int(program.operands[index + 1]))
            guard case .string(let name) = key else { throw .failure(.type(received: key.type, expected: "string")) }
            entries.append((name, value))
        }
        return .map(.entries(MapEntries(entries)))
    }

    private mutating func makePath(_ template: [PathTemplatePart]) throws(Interruption) -> RulesValue {
        var segments: [PathValue.Segment] = []
        segments.reserveCapacity(template.count)
        var bindings: [(name: String, value: RulesValue)] = []
        for part in template {
            switch part {
            case .segment(let segment):
                try spend(1)
                segments.append(segment)
            case .expression(let node):
                let value = try value(node)
                if case .path(let path) = value {
                    segments += path.segments
                    bindings += path.bindings
                } else {
                    segments.append(.literal(try text(of: value)))
                }
            }
        }
        return .path(PathValue(segments, bindings: bindings))
    }
}
