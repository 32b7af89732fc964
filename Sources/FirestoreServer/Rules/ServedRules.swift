// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRules

/// The rules of all databases of a server: one set for those without rules of their own, and one for each that has its own (SR-132,
/// SR-139). Each can be replaced at any time.
package final class ServedRules: Sendable {
    /// Which databases a ruleset is for.
    package enum Scope: Hashable, Sendable {
        /// All databases without rules of their own.
        case everyDatabase
        /// All databases of one project without rules of their own: set over HTTP (SR-138).
        case project(String)
        /// The databases of this id, of every project: `--rules ID=FILE`.
        case databaseID(String)
        /// One database of one project: set over HTTP (SR-139).
        case database(DatabaseID)
    }

    private struct State {
        var rules: [Scope: RulesInForce]
        var enforcements: [DatabaseName: RuleEnforcement] = [:]
    }

    private let settings: RuleEnforcement.Settings
    private let countsCoverage: Bool
    private let state: Mutex<State>

    /// - Parameter countsCoverage: Whether evaluations are counted, for development mode.
    package init(_ rules: RulesInForce.Rules = .open, settings: RuleEnforcement.Settings = .init(), countsCoverage: Bool = false) {
        self.settings = settings
        self.countsCoverage = countsCoverage
        state = Mutex(State(rules: [.everyDatabase: RulesInForce(rules, countsCoverage: countsCoverage)]))
    }

    /// Puts rules in force, at once and for every listener.
    @discardableResult
    package func install(_ rules: RulesInForce.Rules, for scope: Scope) -> RulesInForce.Version {
        if let known = state.withLock({ $0.rules[scope] }) { return known.replace(with: rules) }
        return state.withLock { state in
            let new = RulesInForce(rules, countsCoverage: countsCoverage)
            state.rules[scope] = new
            // Databases that are open and had the rules of a wider scope are asked under these from now on.
            state.enforcements = state.enforcements.filter { !Self.covers(scope, $0.key.database) }
            return new.current
        }
    }

    /// What is in force for a database.
    package func rules(for database: DatabaseID) -> RulesInForce {
        state.withLock { Self.rules(for: database, $0) }
    }

    /// The one enforcement of a database, shared by all its callers.
    package func enforcement(of database: DatabaseID) -> RuleEnforcement {
        state.withLock { state in
            let name = DatabaseName(database)
            if let known = state.enforcements[name] { return known }
            let new = RuleEnforcement(Self.rules(for: database, state), database: database, settings: settings)
            state.enforcements[name] = new
            return new
        }
    }

    private static func rules(for database: DatabaseID, _ state: State) -> RulesInForce {
        for scope in [Scope.database(database), .databaseID(database.databaseID), .project(database.projectID), .everyDatabase] {
            if let rules = state.rules[scope] { return rules }
        }
        preconditionFailure("there are rules for every database from the start")
    }

    private static func covers(_ scope: Scope, _ database: DatabaseID) -> Bool {
        switch scope {
        case .everyDatabase: true
        case .project(let id): equalUTF8(id, database.projectID)
        case .databaseID(let id): equalUTF8(id, database.databaseID)
        case .database(let other): DatabaseName(other) == DatabaseName(database)
        }
    }
}
