// SPDX-License-Identifier: Apache-2.0

/// A set of instructions that is emptied in constant time.
struct AddressSet: Sendable {
    private var marks: [UInt32]
    private var generation: UInt32 = 1

    init(capacity: Int) { marks = Array(repeating: 0, count: capacity) }

    /// False if it is in the set already.
    mutating func insert(_ address: Instruction.Address) -> Bool {
        if marks[Int(address)] == generation { return false }
        marks[Int(address)] = generation
        return true
    }

    func contains(_ address: Instruction.Address) -> Bool { marks[Int(address)] == generation }

    mutating func removeAll() {
        if generation == .max {
            for index in marks.indices { marks[index] = 0 }
            generation = 0
        }
        generation += 1
    }
}
