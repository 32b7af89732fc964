// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules
import Logging

/// Puts rules in force that came over HTTP, in the emulator's form or from the console.
struct RulesInstallation: Sendable {
    let rules: ServedRules
    let log: Logger?

    func checkRoom(for scope: ServedRules.Scope) throws(FirestoreError) {
        guard rules.hasRoom(for: scope) else {
            throw FirestoreError(
                .resourceExhausted, "\(ServedRules.mostSetOverHTTP) projects and databases have rules set over HTTP; restart the server")
        }
    }

    @discardableResult
    func install(
        _ compiled: RulesInForce.Rules, for scope: ServedRules.Scope, of database: DatabaseID
    ) throws(FirestoreError) -> RulesInForce.Version {
        try checkRoom(for: scope)
        let version = rules.install(compiled, for: scope)
        var metadata = database.metadata
        if case .project = scope { metadata["database"] = nil }
        metadata["rules"] = "\(version.hash)"
        log?.notice("rules set over HTTP; they hold until the server stops, its rules file changes, or SIGHUP", metadata: metadata)
        return version
    }
}

extension RulesInForce.Rules {
    /// The rules of a text; broken ones with its errors.
    init(compiling source: RulesSource) {
        do throws(RulesError) {
            self = .ruleSet(try RuleSet(source))
        } catch {
            self = .broken(error)
        }
    }
}
