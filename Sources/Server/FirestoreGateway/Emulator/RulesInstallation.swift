// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEnforcement
package import FirestoreServer
package import Logging

/// Puts rules in effect that came over HTTP, in the emulator's form or from the console.
package struct RulesInstallation: Sendable {
    package let rules: RulesRegistry
    private let log: Logger?

    package init(rules: RulesRegistry, log: Logger?) {
        self.rules = rules
        self.log = log
    }

    package func checkRoom(for scope: RulesRegistry.Scope) throws(FirestoreError) {
        guard rules.hasRoom(for: scope) else {
            throw FirestoreError(
                .resourceExhausted, "\(RulesRegistry.mostSetOverHTTP) projects and databases have rules set over HTTP; restart the server")
        }
    }

    @discardableResult
    package func install(
        _ compiled: RulesInForce.Rules, for scope: RulesRegistry.Scope, of database: DatabaseID
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
