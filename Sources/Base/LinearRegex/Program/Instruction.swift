// SPDX-License-Identifier: Apache-2.0

/// One instruction of a compiled pattern.
enum Instruction: Hashable, Sendable {
    typealias Address = Int32

    /// Reads one character, a member of a class. Readers are numbered apart from the other instructions.
    case read(reader: Int32, next: Address)
    /// Tries one way, and the other one if that fails.
    case split(preferred: Address, other: Address)
    /// Stores the position: slots 2n and 2n + 1 are where capture n begins and ends.
    case save(slot: Int32, next: Address)
    case assert(Assertion, next: Address)
    case match
}
