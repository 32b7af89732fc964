// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEnforcement
import FirestoreRules
package import Logging

/// The rules of all databases of a server: one set for those without separate rules, and one for each that has its own (SR-132,
/// SR-139). Each can be replaced at any time.
///
/// Every open database has its own rules in effect, so that it can come under the rules of another scope while it is listened to.
package final class RulesRegistry: Sendable {
    private struct State {
        var rules: [Scope: RulesInForce.Rules]
        /// Of open databases.
        var enforcements: [DatabaseName: RuleEnforcement] = [:]
    }

    /// The number of projects and databases with rules set over HTTP.
    package static let mostSetOverHTTP = 10_000

    private let settings: RuleEnforcement.Settings
    private let countsCoverage: Bool
    private let log: RulesLog?
    private let state: Mutex<State>
    /// Held while rules are put in effect, so that the last call wins.
    private let order = Mutex(())

    /// - Parameters:
    ///   - countsCoverage: Whether evaluations are counted, for development mode.
    ///   - log: Where the reasons of denials are logged, in one line each.
    package init(
        _ rules: RulesInForce.Rules = .open, settings: RuleEnforcement.Settings = .init(), countsCoverage: Bool = false, log: Logger? = nil
    ) {
        self.settings = settings
        self.countsCoverage = countsCoverage
        self.log = log.map { RulesLog($0) }
        state = Mutex(State(rules: [.everyDatabase: rules]))
    }

    /// Puts rules in effect, immediately and for every listener. Rules of a file replace those set over HTTP for databases that the file is
    /// for, and rules of a project the rules of its default database.
    @discardableResult
    package func install(_ rules: RulesInForce.Rules, for scope: Scope) -> RulesInForce.Version {
        order.withLock { _ in
            let affected = state.withLock { state in
                let before = state.enforcements.keys.map { Self.scope(of: $0.database, state.rules) }
                let ids = Set(state.rules.keys.compactMap { if case .databaseID = $0 { $0 } else { nil } })
                for other in Array(state.rules.keys) where scope.supersedes(other, filesFor: { ids.contains(.databaseID($0)) }) {
                    state.rules[other] = nil
                }
                state.rules[scope] = rules
                return zip(state.enforcements, before).compactMap { entry, before -> (RuleEnforcement, RulesInForce.Rules)? in
                    let now = Self.scope(of: entry.key.database, state.rules)
                    guard now == scope || now != before else { return nil }
                    return (entry.value, state.rules[now] ?? rules)
                }
            }
            for (enforcement, rules) in affected { enforcement.rules.replace(with: rules) }
        }
        return RulesInForce(rules).current
    }

    /// Puts the rules of a cluster in effect, which are all there are: immediately and for every listener. Rules that were set over HTTP
    /// end.
    ///
    /// - Parameters:
    ///   - rules: With rules for every database.
    ///   - changed: The scopes whose rules differ from those before.
    package func replace(with rules: [Scope: RulesInForce.Rules], changed: Set<Scope>) {
        precondition(rules[.everyDatabase] != nil, "there are rules for every database")
        order.withLock { _ in
            let affected = state.withLock { state in
                let before = state.enforcements.keys.map { Self.scope(of: $0.database, state.rules) }
                state.rules = rules
                return zip(state.enforcements, before).compactMap { entry, before -> (RuleEnforcement, RulesInForce.Rules)? in
                    let now = Self.scope(of: entry.key.database, rules)
                    guard now != before || changed.contains(now), let new = rules[now] else { return nil }
                    return (entry.value, new)
                }
            }
            for (enforcement, rules) in affected { enforcement.rules.replace(with: rules) }
        }
    }

    /// Whether rules can be set over HTTP for another scope. Those that have rules can get others.
    package func hasRoom(for scope: Scope) -> Bool {
        state.withLock { state in
            state.rules[scope] != nil || state.rules.keys.lazy.filter(\.isSetOverHTTP).count < Self.mostSetOverHTTP
        }
    }

    /// The scope whose rules a database has.
    package func scope(of database: DatabaseID) -> Scope { state.withLock { Self.scope(of: database, $0.rules) } }

    /// The rules in effect for a database. Coverage is counted while the database is open.
    package func rules(for database: DatabaseID) -> RulesInForce {
        state.withLock { state in
            if let known = state.enforcements[DatabaseName(database)] { return known.rules }
            return RulesInForce(Self.rules(of: database, state.rules), countsCoverage: countsCoverage)
        }
    }

    /// The one enforcement of an open database, shared by all its callers, until `forget`.
    package func enforcement(of database: DatabaseID) -> RuleEnforcement {
        order.withLock { _ in
            state.withLock { state in
                let name = DatabaseName(database)
                if let known = state.enforcements[name] { return known }
                let rules = RulesInForce(Self.rules(of: database, state.rules), countsCoverage: countsCoverage)
                let new = RuleEnforcement(rules, database: database, settings: settings(of: database))
                state.enforcements[name] = new
                return new
            }
        }
    }

    /// The database was closed.
    func forget(_ database: DatabaseID) { state.withLock { _ = $0.enforcements.removeValue(forKey: DatabaseName(database)) } }

    /// The number of databases whose enforcement is retained.
    var enforcementCount: Int { state.withLock { $0.enforcements.count } }

    private static func scope(of database: DatabaseID, _ rules: [Scope: RulesInForce.Rules]) -> Scope {
        Scope.candidates(for: database).first { rules[$0] != nil } ?? .everyDatabase
    }

    private static func rules(of database: DatabaseID, _ rules: [Scope: RulesInForce.Rules]) -> RulesInForce.Rules {
        guard let found = rules[scope(of: database, rules)] else {
            preconditionFailure("there are rules for every database from the start")
        }
        return found
    }

    // MARK: The log

    /// Denials of a database are logged with its name. In development mode, where denials are explained, so is what `debug` was given:
    /// the emulator prints it and the service ignores it, because these are values of users.
    private func settings(of database: DatabaseID) -> RuleEnforcement.Settings {
        guard let log else { return settings }
        var settings = settings
        let earlier = settings.onDenial
        settings.onDenial = { explanation in
            earlier?(explanation)
            log.note(explanation, in: database)
        }
        guard settings.explainsToCallers else { return settings }
        settings.onDebug = { debugged in
            for (position, value) in debugged { log.note(value, at: position, in: database) }
        }
        return settings
    }

    /// Returns when what came before is logged.
    package func finishLog() async { await log?.finish() }
}
