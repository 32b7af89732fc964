// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreRules
import FirestoreServer
import FirestoreStorage
import FirestoreWire
import Foundation

#if Postgres
    import FirestorePostgres
#endif

/// `hearth deploy`: makes rules, indexes and expiry of a project those of its files.
struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Deploy the rules, indexes and expiry of firebase.json.",
        discussion: """
            Reads what `firebase deploy --only firestore` reads: the files that firebase.json names under "firestore". Shows the \
            differences, then makes the changes. Indexes and fields that the files do not have stay unless --force is given.

            Rules go to the running server (--server), and hold there until it stops or reads its own file again; on a cluster \
            (--store) they are stored for all nodes. A data directory (--data) keeps no rules.

            EXIT CODES
              0  the files are in effect, or with --dry-run: there is no difference
              1  with --dry-run: there are differences; or there are errors in the rules
              2  a file or the place cannot be read, or a change was refused

            EXAMPLES
              hearth deploy --server 127.0.0.1:8080 --project app --dry-run
              hearth deploy --server db.example.com --tls --token-file admin.key
              hearth deploy --only indexes --force --data data --project app
              hearth deploy --store postgres://hearth@db.example.com/hearth --project app
            """)

    enum Part: String, ExpressibleByArgument, CaseIterable { case rules, indexes }

    @Option(help: ArgumentHelp("The file that names the others.", valueName: "file"), completion: .file(extensions: ["json"]))
    var config = "firebase.json"

    @Option(help: ArgumentHelp("Only rules, or only indexes and expiry.", valueName: "rules|indexes"))
    var only: Part?

    @Flag(help: "Show the differences, and change nothing.")
    var dryRun = false

    @Flag(help: "Also remove indexes and settings of fields that the files do not have.")
    var force = false

    @Option(help: ArgumentHelp("The PostgreSQL server of a cluster, as in postgres://user@host/database.", valueName: "url"))
    var store: String?

    @OptionGroup(title: "Place") var place: PlaceOptions

    func run() async throws {
        let targets = try FirebaseFile(config).targets
        var rules: [(database: String, path: String, rules: RuleSet)] = []
        if only != .indexes {
            for target in targets {
                if let path = target.rules { rules.append((target.database, path, try Self.compile(path))) }
            }
        }
        var indexes: [(database: String, deployment: IndexDeployment)] = []
        if only != .rules {
            for target in targets {
                guard let path = target.indexes else { continue }
                do throws(FirestoreError) {
                    indexes.append((target.database, try IndexDeployment(try FirebaseFile.read(path))))
                } catch {
                    throw error.located(at: path)
                }
            }
        }
        let (dryRun, force, all, wanted) = (dryRun, force, rules, indexes)
        let deploy: @Sendable (AdminConnection) async throws -> Void = { admin in
            if admin.server != nil { try await Self.deploy(all, through: admin, dryRun) }
            var count = 0
            for (database, deployment) in wanted {
                count += try await Self.deploy(deployment, to: admin.with(database: database), dryRun: dryRun, force: force)
            }
            if count == 0, !wanted.isEmpty { print("the indexes and fields are those of the files") }
            if count > 0, dryRun { throw Outcome.findings }
        }
        guard let store else {
            try await AdminConnection.run(place, deploy)
            if place.data != nil, !rules.isEmpty {
                print("rules are not stored in a data directory; give them to hearth serve with --rules")
            }
            return
        }
        try await Self.deploy(rules, toCluster: store, project: place.project, dryRun, deploy)
    }

    private static func compile(_ path: String) throws -> RuleSet {
        do {
            let rules = try RulesFile(reading: path).compile()
            for issue in rules.issues { StandardError.say(issue.text(in: rules.source)) }
            return rules
        } catch let error as RulesError {
            for issue in error.issues { StandardError.say(issue.text(in: error.source)) }
            throw Outcome.findings
        } catch let error as RulesFile.Unreadable {
            StandardError.say("hearth deploy: \(error.message)")
            throw Outcome.failure
        }
    }

    private static func deploy(
        _ rules: [(database: String, path: String, rules: RuleSet)], through admin: AdminConnection, _ dryRun: Bool
    ) async throws {
        guard let server = admin.server else { return }
        for (database, path, rules) in rules {
            if dryRun {
                print("would deploy \(path) for \(database) (\(rules.hash))")
            } else {
                try await RulesDeployment(endpoint: server.endpoint, token: server.token).run(
                    rules, for: admin.with(database: database).database)
                print("deployed \(path) for \(database) (\(rules.hash))")
            }
        }
    }

    /// Returns the number of differences.
    private static func deploy(
        _ deployment: IndexDeployment, to admin: AdminConnection, dryRun: Bool, force: Bool
    ) async throws -> Int {
        let indexes = try await admin.list(.listIndexes, "indexes", [("parent", .string(admin.groupName("-")))])
        let fields = try await admin.list(.listFields, "fields", [("parent", .string(admin.groupName("-")))])
        var count = 0
        for change in deployment.changes(indexes: indexes, fields: fields) {
            guard force || !change.isRemoval else {
                print("\(admin.database.databaseID): kept, --force would \(change.text)")
                continue
            }
            count += 1
            print("\(admin.database.databaseID): \(dryRun ? "would " : "")\(change.text)")
            if !dryRun { try await make(change.step, in: admin) }
        }
        return count
    }

    /// Returns while indexes are being built.
    private static func make(_ step: IndexDeployment.Change.Step, in admin: AdminConnection) async throws {
        switch step {
        case .createIndex(let group, let index):
            _ = try await admin.call(.createIndex, [("parent", .string(admin.groupName(group))), ("index", index)])
        case .deleteIndex(let name): _ = try await admin.call(.deleteIndex, [("name", .string(name))])
        case .updateField(let group, let path, let message, let mask):
            var field = message
            field.setMember("name", .string("\(admin.groupName(group))/fields/\(path)"))
            _ = try await admin.call(.updateField, [("field", field), ("updateMask", mask.isEmpty ? nil : .string(mask))])
        }
    }

    // MARK: Clusters

    #if Postgres
        private static func deploy(
            _ rules: [(database: String, path: String, rules: RuleSet)], toCluster url: String, project: String?, _ dryRun: Bool,
            _ deploy: @escaping @Sendable (AdminConnection) async throws -> Void
        ) async throws {
            let cluster = try StoreAddress(url, isOnCommandLine: true, environment: CommandEnvironment.current).connect()
            defer { cluster.close() }
            if !dryRun, !rules.isEmpty {
                let rulesets = rules.map { entry in
                    ClusterRuleset(
                        scope: entry.database == DatabaseID.defaultDatabase ? "" : entry.database, hash: entry.rules.source.digest,
                        text: String(decoding: entry.rules.source.text, as: UTF8.self))
                }
                let nodes = try cluster.membership.deploy(rulesets, removing: [])
                print(nodes == 0 ? "no node is running" : "the rules are in effect on \(RulesText.count(nodes, "node"))")
            }
            let database = DatabaseID(projectID: project ?? DatabaseID.fallbackProject)
            try await AdminConnection.administer(.cluster(cluster), database, deploy)
        }
    #else
        private static func deploy(
            _ rules: [(database: String, path: String, rules: RuleSet)], toCluster url: String, project: String?, _ dryRun: Bool,
            _ deploy: @escaping @Sendable (AdminConnection) async throws -> Void
        ) async throws {
            _ = try StoreAddress(url, isOnCommandLine: true, environment: [:])
        }
    #endif
}
