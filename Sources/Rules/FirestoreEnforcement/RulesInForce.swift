// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRules

/// The rules of a database that apply now. They can be replaced at any time, in one step.
package final class RulesInForce: Sendable {
    package enum Rules: Sendable {
        /// Everything is granted.
        case open
        case ruleSet(RuleSet)
        /// Rules that do not compile: every request is answered with their errors.
        case broken(RulesError)
    }

    /// Rules, from when they came into force until they are replaced.
    package struct Version: Sendable {
        package let rules: Rules
        /// Ascends with each replacement.
        package let number: UInt64
        /// The expressions evaluated since the rules took effect; nil if they are not counted.
        package let coverage: RulesCoverage?

        /// Names the rules in logs: the first digits of the hash of their text.
        package var hash: String {
            switch rules {
            case .open: "open"
            case .ruleSet(let ruleSet): Self.hash(ruleSet.source)
            case .broken(let error): Self.hash(error.source)
            }
        }

        private static func hash(_ source: RulesSource) -> String {
            let digits = Array("0123456789abcdef".unicodeScalars)
            var text = String.UnicodeScalarView()
            for byte in source.text.withUnsafeBytes({ SHA256.hash($0) }).prefix(6) {
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
            return String(text)
        }
    }

    private struct State {
        var version: Version
        var observers: [Int: @Sendable (Version) -> Void] = [:]
        var lastObserver = 0
    }

    /// Whether evaluations are counted, which makes them several times as expensive. For development.
    package let countsCoverage: Bool
    private let state: Mutex<State>

    package init(_ rules: Rules, countsCoverage: Bool = false) {
        self.countsCoverage = countsCoverage
        state = Mutex(State(version: Self.version(rules, 1, countsCoverage)))
    }

    private static func version(_ rules: Rules, _ number: UInt64, _ countsCoverage: Bool) -> Version {
        guard countsCoverage, case .ruleSet(let ruleSet) = rules else { return Version(rules: rules, number: number, coverage: nil) }
        return Version(rules: rules, number: number, coverage: RulesCoverage(ruleSet))
    }

    package var current: Version { state.withLock { $0.version } }

    /// Whether everything is granted at present.
    package var isOpen: Bool {
        state.withLock { state in
            if case .open = state.version.rules { true } else { false }
        }
    }

    /// Replaces the active rules: everything judged after this call has returned is judged by the new ones.
    @discardableResult
    package func replace(with rules: Rules) -> Version {
        let (version, observers) = state.withLock { state in
            state.version = Self.version(rules, state.version.number + 1, countsCoverage)
            return (state.version, Array(state.observers.values))
        }
        for observer in observers { observer(version) }
        return version
    }

    /// Calls `body` after each replacement, on the thread that replaced them, until the handle is cancelled.
    package func observe(_ body: @escaping @Sendable (Version) -> Void) -> any WatchHandle {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = body
            return state.lastObserver
        }
        return Observation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
    }
}

/// The handle of something that ends by calling a function.
final class Observation: WatchHandle {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    func cancel() { end() }
}
