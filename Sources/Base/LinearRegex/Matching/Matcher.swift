// SPDX-License-Identifier: Apache-2.0

/// Matches texts with a program: two automata, and the space that following a match takes.
///
/// A matcher is used by one thread at a time. `RegularExpression` retains matchers that are not in use.
struct Matcher: Sendable {
    let program: Program
    /// Matches end where the text does.
    private var whole: BackwardAutomaton
    /// Matches end anywhere.
    private var search: BackwardAutomaton
    private var visited: AddressSet
    private var stack: [Branch] = []

    init(_ program: Program) {
        self.program = program
        whole = BackwardAutomaton(program, acceptsAnywhere: false)
        search = BackwardAutomaton(program, acceptsAnywhere: true)
        visited = AddressSet(capacity: program.instructions.count)
    }

    /// Frees the states that a search for all matches cached beyond the permitted size.
    mutating func forgetExcess() {
        if search.byteCount > program.limits.cachedStates { search.removeAll() }
    }

    // MARK: Yes or no

    mutating func isWholeMatch(_ text: UTF8Text, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        guard text.bytes.starts(with: program.prefix.bytes) else { return false }
        try budget.spend(text.count + 1)
        var state = whole.initialState
        var end = text.count
        while end > 0 {
            let (column, start) = character(before: end, text)
            let transition = try whole.step(state, over: column, isKeepingStates: false, &budget)
            if transition.isDead { return false }
            (state, end) = (transition.target, start)
        }
        return try whole.step(state, over: whole.textStart, isKeepingStates: false, &budget).beginsMatch
    }

    mutating func isContained(in text: UTF8Text, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        guard let first = program.prefix.firstCandidate(in: text.bytes) else { return false }
        try budget.spend(text.count + 1)
        var state = search.initialState
        var end = text.count
        while true {
            let (column, start) = end > 0 ? character(before: end, text) : (search.textStart, 0)
            let transition = try search.step(state, over: column, isKeepingStates: false, &budget)
            if transition.beginsMatch { return true }
            if end <= first { return false }
            (state, end) = (transition.target, start)
        }
    }

    // MARK: All matches

    /// The result of reading the text backwards: one entry for each offset at which a character begins or the text ends.
    struct Findings {
        private var records: [UInt32]
        let first: Int

        fileprivate init(count: Int, first: Int) {
            records = Array(repeating: 0, count: count - first + 1)
            self.first = first
        }

        fileprivate mutating func record(_ state: BackwardAutomaton.StateID, beginsMatch: Bool, at offset: Int) {
            records[offset - first] = state << 1 | (beginsMatch ? 1 : 0)
        }

        fileprivate func state(at offset: Int) -> BackwardAutomaton.StateID { records[offset - first] >> 1 }

        /// The first offset at or behind another one at which a match begins.
        func start(from offset: Int) -> Int? {
            var index = max(offset - first, 0)
            while index < records.count {
                if records[index] & 1 == 1 { return index + first }
                index += 1
            }
            return nil
        }
    }

    /// Nil if there is no match. The findings are valid until the matcher reads another text.
    mutating func read(_ text: UTF8Text, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Findings? {
        guard let first = program.prefix.firstCandidate(in: text.bytes) else { return nil }
        try budget.spend(text.count + 1)
        var findings = Findings(count: text.count, first: first)
        var state = search.initialState
        var end = text.count
        while true {
            let (column, start) = end > 0 ? character(before: end, text) : (search.textStart, 0)
            let transition = try search.step(state, over: column, isKeepingStates: true, &budget)
            findings.record(state, beginsMatch: transition.beginsMatch, at: end)
            if end <= first { return findings }
            (state, end) = (transition.target, start)
        }
    }

    /// A way that matching has not tried yet at the current position.
    private enum Branch: Sendable {
        case visit(Instruction.Address)
        /// The ways tried since stored something in a slot.
        case restore(slot: Int, value: Int)
    }

    /// The match that begins at an offset of the findings: of all ways to match, the first one by the pattern's priorities.
    ///
    /// Follows no way that does not lead to a match, so the time for all matches of a text is linear, too. The slots hold where the
    /// match and its captures begin and end, -1 for captures that are not part of it.
    mutating func match(
        _ text: UTF8Text, _ findings: Findings, at start: Int, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> [Int] {
        var slots = Array(repeating: -1, count: 2 * program.captureNames.count + 2)
        slots[0] = start
        var address = program.start
        var offset = start
        var previous: CharacterKind = start > 0 ? program.kinds[character(before: start, text).column] : .edge
        while true {
            let end = text.offset(after: offset)
            let next: CharacterKind = offset < text.count ? program.kinds[program.classes.id(of: text.scalar(at: offset).value)] : .edge
            guard let read = try advance(address, &slots, findings.state(at: offset), at: offset, previous, next, &budget) else {
                slots[1] = offset
                return slots
            }
            (address, offset, previous) = (read, end, next)
        }
    }

    /// The instruction behind the first reader that leads to a match; nil if the pattern matches without another character.
    private mutating func advance(
        _ address: Instruction.Address, _ slots: inout [Int], _ state: BackwardAutomaton.StateID, at offset: Int,
        _ previous: CharacterKind, _ next: CharacterKind, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> Instruction.Address? {
        visited.removeAll()
        stack.removeAll(keepingCapacity: true)
        stack.append(.visit(address))
        var visits = 1
        while let branch = stack.popLast() {
            guard case .visit(var address) = branch else {
                if case .restore(let slot, let value) = branch { slots[slot] = value }
                continue
            }
            way: while visited.insert(address) {
                visits += 1
                switch program.instructions[Int(address)] {
                case .match:
                    try budget.spend(visits)
                    return nil
                case .read(let reader, let behind):
                    guard search.leads(reader, toMatchFrom: state) else { break way }
                    try budget.spend(visits)
                    return behind
                case .split(let preferred, let other):
                    stack.append(.visit(other))
                    address = preferred
                case .save(let slot, let behind):
                    stack.append(.restore(slot: Int(slot), value: slots[Int(slot)]))
                    slots[Int(slot)] = offset
                    address = behind
                case .assert(let assertion, let behind):
                    guard assertion.holds(after: previous, before: next) else { break way }
                    address = behind
                }
            }
        }
        // The findings say that there is a way.
        return nil
    }

    private func character(before end: Int, _ text: UTF8Text) -> (column: CharacterClasses.ID, start: Int) {
        let byte = text.bytes[end - 1]
        if byte < 0x80 { return (Int(program.classes.ascii[Int(byte)]), end - 1) }
        let (value, start) = text.scalar(before: end)
        return (program.classes.id(of: value), start)
    }
}
