// SPDX-License-Identifier: Apache-2.0

/// Reads a text from its end to its beginning and records at each position which readers lead to a match from there.
///
/// A deterministic automaton whose states are created on demand and cached up to a bound. Matching takes linear time because one table
/// look-up per character decides the rest, whatever the pattern.
struct BackwardAutomaton: Sendable {
    typealias StateID = UInt32

    /// The state before a character, and what became known about the position behind that character.
    struct Transition: Sendable {
        fileprivate let rawValue: UInt32

        var target: StateID { rawValue >> 2 }
        /// Whether a match begins behind the character.
        var beginsMatch: Bool { rawValue & 1 != 0 }
        /// Whether nothing before the character can match.
        var isDead: Bool { rawValue & 2 != 0 }

        fileprivate static let unknown = Transition(rawValue: .max)

        fileprivate init(rawValue: UInt32) { self.rawValue = rawValue }

        fileprivate init(to target: StateID, beginsMatch: Bool, isDead: Bool) {
            rawValue = target << 2 | (beginsMatch ? 1 : 0) | (isDead ? 2 : 0)
        }
    }

    private struct State: Hashable, Sendable {
        /// One bit for each reader: it takes the character at this position, and the rest of the pattern matches from behind it.
        var readers: [UInt64]
        /// The kind of that character, as far as assertions need it.
        var next: CharacterKind
        /// Whether a match may end at this position.
        var accepts: Bool
    }

    private let program: Program
    /// Whether a match may end anywhere, or only where the text does.
    private let acceptsAnywhere: Bool
    private let columns: Int
    private var states: [State] = []
    private var ids: [State: StateID] = [:]
    private var transitions: [Transition] = []
    private var live: AddressSet
    /// The members of `live` in the order in which they were found.
    private var found: [Instruction.Address] = []

    init(_ program: Program, acceptsAnywhere: Bool) {
        self.program = program
        self.acceptsAnywhere = acceptsAnywhere
        columns = program.classes.count + 1
        live = AddressSet(capacity: program.instructions.count)
        addInitialState()
    }

    /// The state at the end of the text.
    var initialState: StateID { 0 }

    /// The column that represents the beginning of the text.
    var textStart: CharacterClasses.ID { columns - 1 }

    private mutating func addInitialState() {
        let initial = State(readers: Array(repeating: 0, count: program.readerWords), next: .edge, accepts: true)
        _ = add(initial)
    }

    func leads(_ reader: Int32, toMatchFrom state: StateID) -> Bool {
        states[Int(state)].readers[Int(reader) / 64] >> UInt64(reader % 64) & 1 == 1
    }

    // MARK: States

    /// About the bytes that the states take.
    var byteCount: Int { states.count * (128 + 16 * program.readerWords + 4 * columns) }

    /// Forgets all states; ids of states other than the initial one become invalid.
    mutating func removeAll() {
        states = []
        ids = [:]
        transitions = []
        addInitialState()
    }

    private mutating func add(_ state: State) -> StateID {
        let id = StateID(states.count)
        states.append(state)
        ids[state] = id
        transitions.append(contentsOf: repeatElement(.unknown, count: columns))
        return id
    }

    // MARK: Transitions

    /// Reads the character before a position. If `isKeepingStates`, all ids remain valid; otherwise only the target's does.
    mutating func step(
        _ id: StateID, over column: CharacterClasses.ID, isKeepingStates: Bool, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> Transition {
        let cell = Int(id) * columns + column
        let known = transitions[cell]
        if known.rawValue != .max { return known }
        return try compute(id, column, isKeepingStates, &budget)
    }

    private mutating func compute(
        _ id: StateID, _ column: CharacterClasses.ID, _ isKeepingStates: Bool, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> Transition {
        let isTextStart = column == textStart
        let previous = isTextStart ? .edge : program.kinds[column]
        collectLive(states[Int(id)], after: previous)
        let beginsMatch = live.contains(program.start)
        var visits = found.count + columns / 8 + program.readerWords
        if isTextStart {
            let transition = Transition(to: 0, beginsMatch: beginsMatch, isDead: true)
            transitions[Int(id) * columns + column] = transition
            try budget.spend(visits)
            return transition
        }
        var before = State(readers: Array(repeating: 0, count: program.readerWords), next: previous, accepts: acceptsAnywhere)
        var isDead = !acceptsAnywhere
        for address in found {
            let readers = program.readersBefore[address]
            visits += readers.count
            for reader in readers where program.reads(reader, column) {
                before.readers[Int(reader) / 64] |= 1 << UInt64(reader % 64)
                isDead = false
            }
        }
        try budget.spend(visits)

        if let target = ids[before] {
            let transition = Transition(to: target, beginsMatch: beginsMatch, isDead: isDead)
            transitions[Int(id) * columns + column] = transition
            return transition
        }
        if isKeepingStates {
            if byteCount > program.limits.searchStates { throw .budgetExceeded }
        } else if byteCount > program.limits.cachedStates {
            removeAll()
            // The state that this transition leaves was removed.
            return Transition(to: ids[before] ?? add(before), beginsMatch: beginsMatch, isDead: isDead)
        }
        let transition = Transition(to: add(before), beginsMatch: beginsMatch, isDead: isDead)
        transitions[Int(id) * columns + column] = transition
        return transition
    }

    /// The instructions from which a match is reached at a position whose state is known, after a character of a kind.
    private mutating func collectLive(_ state: State, after previous: CharacterKind) {
        live.removeAll()
        found.removeAll(keepingCapacity: true)
        if state.accepts { mark(0) }
        for (index, word) in state.readers.enumerated() {
            var rest = word
            while rest != 0 {
                mark(program.readers[index * 64 + rest.trailingZeroBitCount])
                rest &= rest - 1
            }
        }
        var index = 0
        while index < found.count {
            for address in program.predecessors[found[index]] {
                if case .assert(let assertion, _) = program.instructions[Int(address)] {
                    guard assertion.holds(after: previous, before: state.next) else { continue }
                }
                mark(address)
            }
            index += 1
        }
    }

    private mutating func mark(_ address: Instruction.Address) {
        if live.insert(address) { found.append(address) }
    }
}
