// SPDX-License-Identifier: Apache-2.0

/// Characters in equivalence classes: a pattern does not distinguish two characters of a class.
///
/// Automata have a column per class instead of one per character.
struct CharacterClasses: Sendable {
    typealias ID = Int

    private(set) var count = 0
    /// The class of each ASCII character.
    private(set) var ascii: [Int32] = []
    private(set) var kinds: [CharacterKind] = []
    /// Where the runs of characters of one class begin, sorted, and their classes.
    private var starts: [UInt32]
    private var ids: [Int32]

    /// The coarsest partition in which each set is a union of classes.
    init(distinguishing sets: [ScalarSet], limits: RegularExpressionLimits) throws(RegularExpressionError) {
        var boundaries: [UInt32] = [0]
        for set in sets {
            for range in set.ranges { boundaries += [range.first, range.last + 1] }
        }
        boundaries.sort()
        starts = []
        for boundary in boundaries where boundary <= ScalarRange.maximum && starts.last != boundary { starts.append(boundary) }
        ids = Array(repeating: 0, count: starts.count)
        try refine(sets, limits)
        merge()
        ascii = (0..<128).map { Int32(id(of: $0)) }
    }

    /// Each set splits every class that it has only some members of.
    private mutating func refine(_ sets: [ScalarSet], _ limits: RegularExpressionLimits) throws(RegularExpressionError) {
        var next: Int32 = 1
        var work = 0
        for set in sets {
            // A set and its complement split alike.
            var split: [Int32: Int32] = [:]
            for run in smallerPart(of: set).runs {
                work += run.count
                if work > 10 * limits.classRanges { throw .patternTooLarge }
                for index in run {
                    let old = ids[index]
                    if let new = split[old] {
                        ids[index] = new
                    } else {
                        split[old] = next
                        ids[index] = next
                        next += 1
                    }
                }
            }
        }
    }

    private func runs(of set: ScalarSet) -> [Range<Int>] {
        set.ranges.map { run(of: $0.first)..<run(of: $0.last) + 1 }
    }

    /// The set or its complement, whichever has fewer runs: processing it takes less time.
    private func smallerPart(of set: ScalarSet) -> (runs: [Range<Int>], isComplement: Bool) {
        let runs = runs(of: set)
        let isLarge = runs.reduce(0) { $0 + $1.count } * 2 > starts.count
        return isLarge ? (self.runs(of: set.inverted), true) : (runs, false)
    }

    /// Numbers the classes without gaps, joins neighbouring runs of one class, and finds the kind of each class.
    private mutating func merge() {
        var numbers: [Int32: Int32] = [:]
        var mergedStarts: [UInt32] = []
        var mergedIDs: [Int32] = []
        for (start, id) in zip(starts, ids) {
            let number = numbers[id] ?? Int32(numbers.count)
            if numbers.updateValue(number, forKey: id) == nil { kinds.append(Self.kind(of: start)) }
            if mergedIDs.last != number {
                mergedStarts.append(start)
                mergedIDs.append(number)
            }
        }
        (starts, ids, count) = (mergedStarts, mergedIDs, numbers.count)
    }

    static let wordCharacters = ScalarSet(NamedClasses.word)

    private static func kind(of scalar: UInt32) -> CharacterKind {
        if scalar == 10 { return .newline }
        return wordCharacters.contains(scalar) ? .word : .other
    }

    // MARK: Looking up

    func id(of scalar: UInt32) -> ID { Int(ids[run(of: scalar)]) }

    /// The last run that does not begin behind the scalar.
    private func run(of scalar: UInt32) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        return low
    }

    /// The classes that a set is the union of; if most are, those that it has nothing of.
    func ids(in set: ScalarSet) -> (ids: [ID], isComplement: Bool) {
        let (runs, isComplement) = smallerPart(of: set)
        var found: Set<Int32> = []
        for run in runs { found.formUnion(ids[run]) }
        return (found.map { Int($0) }, isComplement)
    }
}
