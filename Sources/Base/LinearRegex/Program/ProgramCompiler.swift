// SPDX-License-Identifier: Apache-2.0

/// Turns a syntax tree into instructions, from the end of the pattern to its beginning: what follows is compiled first.
///
/// Loops around what may be empty are compiled as RE2 does it, `(x+)?` instead of `x*`, because priorities and so captures
/// depend on it.
struct ProgramCompiler {
    private typealias NodeID = SyntaxTree.NodeID

    /// A step to come. Steps work on `next`, the address of the following code, and replace it with the address of the code they made.
    private enum Step {
        case compile(NodeID)
        /// Another way to match begins, which leads to the same address.
        case openAlternative(next: Int32)
        case closeAlternative
        case closeOptional(next: Int32, isLazy: Bool)
        case closeLoop(split: Int32, exit: Int32, loop: SyntaxTree.Loop, isNullable: Bool, isLazy: Bool)
        case save(slot: Int32)
    }

    private(set) var instructions: [Instruction] = [.match]
    private(set) var start: Int32 = 0
    private(set) var readers: [Int32] = []
    /// For each reader the class that it takes.
    private(set) var readerClasses: [Int] = []
    private(set) var assertions: Set<Assertion> = []

    private let tree: SyntaxTree
    private let limits: RegularExpressionLimits
    private var steps: [Step] = []
    private var next: Int32 = 0
    /// The beginnings of the alternatives behind the one that is compiled.
    private var alternatives: [Int32] = []

    init(tree: SyntaxTree, limits: RegularExpressionLimits) {
        self.tree = tree
        self.limits = limits
    }

    mutating func compile() throws(RegularExpressionError) -> Int32 {
        steps = [.compile(tree.root)]
        while let step = steps.popLast() {
            switch step {
            case .compile(let node): try compile(node)
            case .openAlternative(let next):
                alternatives.append(self.next)
                self.next = next
            case .closeAlternative:
                next = try emit(.split(preferred: next, other: alternatives.removeLast()))
            case .closeOptional(let exit, let isLazy):
                next = try emit(split(into: next, or: exit, isLazy))
            case .closeLoop(let address, let exit, let loop, let isNullable, let isLazy):
                let body = next
                instructions[Int(address)] = split(into: body, or: exit, isLazy)
                next = loop == .star && !isNullable ? address : body
                if loop == .star, isNullable { next = try emit(split(into: body, or: exit, isLazy)) }
            case .save(let slot): next = try emit(.save(slot: slot, next: next))
            }
        }
        start = next
        return start
    }

    private mutating func compile(_ node: NodeID) throws(RegularExpressionError) {
        switch tree.nodes[node] {
        case .empty: break
        case .characterClass(let set):
            readers.append(Int32(instructions.count))
            readerClasses.append(set)
            next = try emit(.read(reader: Int32(readers.count - 1), next: next))
        case .assertion(let assertion):
            assertions.insert(assertion)
            next = try emit(.assert(assertion, next: next))
        case .concatenation(let items):
            // The last step added is the first one done.
            for item in items { steps.append(.compile(item)) }
        case .alternation(let items):
            for item in items.dropLast() { steps += [.closeAlternative, .compile(item), .openAlternative(next: next)] }
            if let last = items.last { steps.append(.compile(last)) }
        case .capture(let body, let number):
            steps += [.save(slot: Int32(2 * number)), .compile(body), .save(slot: Int32(2 * number + 1))]
        case .loop(.optional, let body, let flags):
            steps += [.closeOptional(next: next, isLazy: flags.contains(.isLazy)), .compile(body)]
        case .loop(let loop, let body, let flags):
            let exit = next
            // The target of the loop is known when the body is compiled.
            next = try emit(.split(preferred: exit, other: exit))
            let isNullable = tree.isNullable(body)
            steps += [
                .closeLoop(split: next, exit: exit, loop: loop, isNullable: isNullable, isLazy: flags.contains(.isLazy)), .compile(body),
            ]
        }
    }

    private func split(into body: Int32, or exit: Int32, _ isLazy: Bool) -> Instruction {
        isLazy ? .split(preferred: exit, other: body) : .split(preferred: body, other: exit)
    }

    private mutating func emit(_ instruction: Instruction) throws(RegularExpressionError) -> Int32 {
        guard instructions.count <= limits.instructions else { throw .patternTooLarge }
        instructions.append(instruction)
        return Int32(instructions.count - 1)
    }
}
