// SPDX-License-Identifier: Apache-2.0

/// How deep the evaluation of each node recurses, and how deep its value can be nested. Known before anything is evaluated, because
/// functions do not call themselves.
struct ProgramDepth {
    /// Levels of evaluation, those of called functions included.
    private(set) var levels: [Int]
    /// Lists and maps in each other that the program itself makes. Documents and tokens have separate limits.
    private(set) var nesting: [Int]
    /// The levels of each function. A function has more of them than those that it calls.
    private(set) var functionLevels: [Int]
    private var functionNesting: [Int]

    private static let boundless = 1 << 20

    init(_ program: Program) {
        levels = Array(repeating: 1, count: program.nodes.count)
        nesting = Array(repeating: 0, count: program.nodes.count)
        functionLevels = Array(repeating: 0, count: program.functions.count)
        functionNesting = Array(repeating: 0, count: program.functions.count)
        // Operands come before what is made of them. Functions may be called before they are compiled, which takes a pass per call
        // in a chain.
        while pass(program) {}
    }

    /// The functions, each after those that it calls.
    var callOrder: [Int] { functionLevels.indices.sorted { functionLevels[$0] < functionLevels[$1] } }

    private mutating func pass(_ program: Program) -> Bool {
        var next = 0
        for function in program.functions {
            var locals = Array(repeating: 0, count: function.parameters.count)
            for variable in function.variables {
                measure(next...variable, program, locals)
                next = variable + 1
                locals.append(nesting[variable])
            }
            measure(next...function.result, program, locals)
            next = function.result + 1
        }
        if next < program.nodes.count { measure(next...(program.nodes.count - 1), program, []) }
        var hasChanged = false
        for (index, function) in program.functions.enumerated() {
            let deepest = 1 + function.variables.reduce(levels[function.result]) { max($0, levels[$1]) }
            hasChanged = hasChanged || functionLevels[index] != deepest || functionNesting[index] != nesting[function.result]
            functionLevels[index] = deepest
            functionNesting[index] = nesting[function.result]
        }
        return hasChanged
    }

    private mutating func measure(_ nodes: ClosedRange<NodeID>, _ program: Program, _ locals: [Int]) {
        for node in nodes {
            var (level, nested) = (0, 0)
            for child in program.children(of: node) {
                level = max(level, levels[child])
                nested = max(nested, nesting[child])
            }
            switch program.nodes[node] {
            case .list, .map: nested += 1
            case .local(let index): nested = locals.indices.contains(Int(index)) ? locals[Int(index)] : 0
            case .call(let function, _):
                level = max(level, functionLevels[Int(function)])
                nested += functionNesting[Int(function)]
            default: break
            }
            levels[node] = level + 1
            // Functions can multiply it beyond every integer.
            nesting[node] = min(nested, Self.boundless)
        }
    }
}
