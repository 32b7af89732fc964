// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreEnforcement
import FirestoreRules
import FirestoreStorage
package import Logging

/// What this server does as a node of a cluster: it has a lease, and judges by the rules that the cluster keeps.
package final class ClusterMember: Sendable {
    private struct State {
        /// The hashes of the rulesets in effect; nil before the first were read.
        var hashes: [RulesRegistry.Scope: [UInt8]]?
    }

    private let nodes: any ClusterNodes
    private let rules: RulesRegistry
    private let databases: DatabaseRegistry
    private let log: Logger
    private let state = Mutex(State())

    /// nil if the databases are not those of a cluster.
    package init?(of databases: DatabaseRegistry, rules: RulesRegistry, log: Logger) {
        guard case .cluster(let cluster) = databases.opening.storage, let nodes = cluster.nodes else { return nil }
        (self.nodes, self.rules, self.databases, self.log) = (nodes, rules, databases, log)
    }

    /// Whether calls can be answered.
    package var isLive: Bool { nodes.isLive }

    /// Joins the cluster: returns when its rules are in effect here. Waits for the database server: not for the cooperative pool.
    package func join(as address: String) throws(FirestoreError) {
        nodes.obey { [weak self] (notices) throws(FirestoreError) in try self?.obey(notices) }
        try nodes.join(as: address)
    }

    package func rename(to address: String) { nodes.rename(to: address) }

    package func leave() { nodes.leave() }

    /// On the thread of the cluster.
    private func obey(_ notices: [ClusterNotice]?) throws(FirestoreError) {
        if notices.map({ $0.contains { $0.kind == .rules } }) ?? true { try takeRules() }
        // Commits that were judged by rules or for tokens of before end first: the publisher may be answered afterwards.
        let done = DispatchSemaphore(value: 0)
        Task { [databases] in
            await databases.finishCommits()
            done.signal()
        }
        done.wait()
    }

    private func takeRules() throws(FirestoreError) {
        let rulesets = try nodes.rulesets()
        let hashes = Dictionary(rulesets.map { (Self.scope(of: $0), $0.hash) }, uniquingKeysWith: { first, _ in first })
        let before = state.withLock { $0.hashes }
        guard hashes != before else { return }
        var all: [RulesRegistry.Scope: RulesInForce.Rules] = [:]
        var changed: Set<RulesRegistry.Scope> = []
        for ruleset in rulesets {
            let scope = Self.scope(of: ruleset)
            let name = ruleset.scope.isEmpty ? "the cluster's rules" : "the cluster's rules of \(ruleset.scope)"
            // Rules that this version cannot compile refuse every request.
            let compiled = RulesInForce.Rules(compiling: RulesSource(ruleset.text, name: name))
            all[scope] = compiled
            guard before?[scope] != ruleset.hash else { continue }
            changed.insert(scope)
            let isBroken = if case .broken = compiled { true } else { false }
            log.log(
                level: isBroken ? .error : .info,
                isBroken ? "rules of the cluster cannot be used here, and refuse everything" : "rules in force",
                metadata: ["databases": "\(ruleset.scope.isEmpty ? "all without rules of their own" : ruleset.scope)"])
        }
        if all[.everyDatabase] == nil {
            all[.everyDatabase] = rulesets.isEmpty ? .open : .closed
            changed.insert(.everyDatabase)
        }
        rules.replace(with: all, changed: changed)
        state.withLock { $0.hashes = hashes }
    }

    private static func scope(of ruleset: ClusterRuleset) -> RulesRegistry.Scope {
        ruleset.scope.isEmpty ? .everyDatabase : .databaseID(ruleset.scope)
    }
}
