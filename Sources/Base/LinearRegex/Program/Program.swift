// SPDX-License-Identifier: Apache-2.0

/// A compiled pattern: instructions, and what matching needs to know of them in advance.
/// A class, so that matchers share one.
final class Program: Sendable {
    typealias Address = Instruction.Address

    /// The instruction at 0 is the match.
    let instructions: [Instruction]
    let start: Address
    let captureNames: [String?]
    let classes: CharacterClasses
    /// The addresses of the instructions that read a character, by the readers' numbers.
    let readers: [Address]
    /// The literal text with which every match begins.
    let prefix: LiteralPrefix
    let limits: RegularExpressionLimits

    /// For each class of characters the readers that take it, one bit each.
    private let readable: [UInt64]
    /// Words of 64 bits that hold one bit for each reader.
    let readerWords: Int
    /// The instructions before an instruction that read nothing.
    let predecessors: AddressLists
    /// The readers that an instruction follows.
    let readersBefore: AddressLists
    /// Kinds of characters that no assertion of the program asks for are `other`.
    let kinds: [CharacterKind]

    init(_ pattern: String, limits: RegularExpressionLimits) throws(RegularExpressionError) {
        let tree = try SyntaxTree.parse(pattern, limits: limits)
        var compiler = ProgramCompiler(tree: tree, limits: limits)
        start = try compiler.compile()
        instructions = compiler.instructions
        readers = compiler.readers
        captureNames = tree.captureNames
        self.limits = limits

        let asksForWords = !compiler.assertions.isDisjoint(with: [.wordBoundary, .noWordBoundary])
        let asksForLines = !compiler.assertions.isDisjoint(with: [.lineStart, .lineEnd])
        let distinguished = (asksForWords ? [CharacterClasses.wordCharacters] : []) + (asksForLines ? [.newline] : [])
        let classes = try CharacterClasses(distinguishing: tree.classes + distinguished, limits: limits)
        self.classes = classes
        kinds = classes.kinds.map {
            switch $0 {
            case .word where asksForWords: .word
            case .newline where asksForLines: .newline
            default: .other
            }
        }

        let words = (compiler.readers.count + 63) / 64
        readerWords = words
        // Within the default limits at most some megabytes.
        guard words * classes.count <= 2 * limits.classRanges else { throw .patternTooLarge }
        readable = Self.readable(by: compiler.readerClasses, tree.classes.map(classes.ids(in:)), of: classes.count, words: words)
        prefix = LiteralPrefix(compiler.instructions, start: compiler.start, classOf: { tree.classes[compiler.readerClasses[Int($0)]] })

        let (silent, reading) = Self.edges(of: compiler.instructions)
        predecessors = AddressLists(silent, count: compiler.instructions.count)
        readersBefore = AddressLists(reading, count: compiler.instructions.count)
    }

    private static func readable(
        by readers: [Int], _ members: [(ids: [CharacterClasses.ID], isComplement: Bool)], of count: Int, words: Int
    ) -> [UInt64] {
        var readable = Array(repeating: UInt64(0), count: words * count)
        for (reader, set) in readers.enumerated() {
            let (word, bit) = (reader / 64, UInt64(1) << UInt64(reader % 64))
            if members[set].isComplement {
                for id in 0..<count { readable[id * words + word] |= bit }
            }
            for id in members[set].ids { readable[id * words + word] ^= bit }
        }
        return readable
    }

    private typealias Edges = [(from: Address, to: Address)]

    /// The edges that read nothing, and those from readers.
    private static func edges(of instructions: [Instruction]) -> (silent: Edges, reading: Edges) {
        var silent: Edges = []
        var reading: Edges = []
        for (address, instruction) in zip(Address(0)..., instructions) {
            switch instruction {
            case .read(let reader, let next): reading.append((reader, next))
            case .split(let preferred, let other): silent += [(address, preferred), (address, other)]
            case .save(_, let next), .assert(_, let next): silent.append((address, next))
            case .match: break
            }
        }
        return (silent, reading)
    }

    /// Whether a reader takes the characters of a class.
    func reads(_ reader: Int32, _ id: CharacterClasses.ID) -> Bool {
        readable[id * readerWords + Int(reader) / 64] >> UInt64(reader % 64) & 1 == 1
    }
}

/// A list of addresses for each instruction, in two arrays.
struct AddressLists: Sendable {
    private var bounds: [Int32]
    private var addresses: [Instruction.Address]

    /// The list of an instruction has where the edges to it come from.
    init(_ edges: [(from: Instruction.Address, to: Instruction.Address)], count: Int) {
        bounds = Array(repeating: 0, count: count + 1)
        for edge in edges { bounds[Int(edge.to) + 1] += 1 }
        for index in 0..<count { bounds[index + 1] += bounds[index] }
        addresses = Array(repeating: 0, count: edges.count)
        var next = bounds
        for edge in edges {
            addresses[Int(next[Int(edge.to)])] = edge.from
            next[Int(edge.to)] += 1
        }
    }

    subscript(_ address: Instruction.Address) -> ArraySlice<Instruction.Address> {
        addresses[Int(bounds[Int(address)])..<Int(bounds[Int(address) + 1])]
    }
}
