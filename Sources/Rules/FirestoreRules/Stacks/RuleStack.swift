// SPDX-License-Identifier: Apache-2.0
import HearthBase

/// A stack on which every ruleset can be compiled and every condition evaluated.
///
/// Both are recursive. Limits so low that everything fits on the stack of any thread in a debug build would reject rulesets that the
/// official emulator takes.
enum RuleStack {
    /// Runs work on a thread of its own and waits until it is done. Returns false if no thread could be started.
    static func run(_ body: () -> Void) -> Bool { LargeStack.run(bytes: 64 << 20, body) }
}
