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
            Reads what `firebase deploy --only firestore` reads: the files that firebase.json names under "firestore", and the project \
            of .firebaserc. Shows the differences, then makes the changes. Indexes and fields that the files do not have stay unless \
            --force is given. What is in the files and has no effect here is named on standard error.

            The project is --project, an id or an alias of .firebaserc; else what `firebase use` has chosen; else the only alias of \
            .firebaserc; else GOOGLE_CLOUD_PROJECT. With --database only what firebase.json has for that database is deployed.

            Rules go to the running server (--server), and hold there until it stops or reads its own file again; on a cluster \
            (--store) they are stored for all nodes. A data directory (--data) keeps no rules.

            EXIT CODES
              0  the files are in effect, or with --dry-run: there is no difference
              1  with --dry-run: there are differences; or there are errors in the rules
              2  a file or the place cannot be read, no project is chosen, or a change was refused

            EXAMPLES
              hearth deploy --server 127.0.0.1:8080 --project app --dry-run
              hearth deploy --server db.example.com --tls --token-file admin.key
              hearth deploy --only indexes --force --data data --project app
              hearth deploy --only firestore:books --server 127.0.0.1:8080
              hearth deploy --store postgres://hearth@db.example.com/hearth --project app
            """)

    @Option(help: ArgumentHelp("The file that names the others.", valueName: "file"), completion: .file(extensions: ["json"]))
    var config = "firebase.json"

    @Option(
        help: ArgumentHelp(
            "Only rules, or only indexes and expiry; or as for Firebase's command line, such as firestore:NAME for a database or a target.",
            valueName: "rules|indexes"))
    var only: String?

    @Flag(help: "Show the differences, and change nothing.")
    var dryRun = false

    @Flag(help: "Also remove indexes and settings of fields that the files do not have.")
    var force = false

    @Option(help: ArgumentHelp("The PostgreSQL server of a cluster, as in postgres://user@host/database.", valueName: "url"))
    var store: String?

    @OptionGroup(title: "Place") var place: PlaceOptions

    func validate() throws {
        guard let only, DeployPlan.Selection(only) == nil else { return }
        throw ValidationError("--only: \"\(only)\" is neither rules, indexes, nor one of firestore, firestore:rules, firestore:NAME")
    }

    func run() async throws {
        let plan = try plan()
        for note in plan.notes { StandardError.say(note) }
        if let id = plan.project.id, let origin = plan.project.origin { StandardError.say("project \(id): \(origin)") }
        var place = place
        place.project = plan.project.id
        let (dryRun, force, isCluster) = (dryRun, force, store != nil)
        let deploy: @Sendable (AdminConnection) async throws -> Void = { admin in
            if admin.server != nil { try await Self.deploy(plan.rules, through: admin, dryRun) }
            var count = 0
            for target in plan.indexes {
                count += try await Self.deploy(
                    target.deployment, to: admin.with(database: target.database), dryRun: dryRun, force: force)
            }
            if count == 0, !plan.indexes.isEmpty { print("the indexes and fields are those of the files") }
            if admin.server == nil, !isCluster, !plan.rules.isEmpty {
                print("rules are not stored in a data directory; give them to hearth serve with --rules")
                if plan.indexes.isEmpty { throw Outcome.failure }
            }
            if count > 0, dryRun { throw Outcome.findings }
        }
        guard let store else { return try await AdminConnection.run(place, deploy) }
        try await Self.deploy(plan.rules, toCluster: store, project: place.project, dryRun, deploy)
    }

    /// Reads all files, before anything is changed.
    private func plan() throws -> DeployPlan {
        let environment = CommandEnvironment.current
        let file = try FirebaseFile(config)
        // The environment may be meant for something else than a data directory.
        let variable = place.data == nil ? DatabaseVariables(environment).project : nil
        let project = try FirebaseProject(file, option: place.project, variable: variable, environment: environment)
        return try DeployPlan(file, project, only.flatMap(DeployPlan.Selection.init) ?? DeployPlan.Selection(), database: place.database)
    }

    private static func deploy(_ rules: [DeployPlan.Rules], through admin: AdminConnection, _ dryRun: Bool) async throws {
        guard let server = admin.server else { return }
        for target in rules {
            let place = "\(target.path) for \(target.database) (\(target.rules.hash))"
            if dryRun {
                print("would deploy \(place)")
            } else {
                try await RulesDeployment(endpoint: server.endpoint, token: server.token).run(
                    target.rules, for: admin.with(database: target.database).database)
                print("deployed \(place)")
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
            do throws(FirestoreError) {
                _ = try await admin.call(.createIndex, [("parent", .string(admin.groupName(group))), ("index", index)])
            } catch {
                // Another client has created it meanwhile.
                guard error.code == .alreadyExists else { throw error }
            }
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
            _ rules: [DeployPlan.Rules], toCluster url: String, project: String?, _ dryRun: Bool,
            _ deploy: @escaping @Sendable (AdminConnection) async throws -> Void
        ) async throws {
            let cluster = try StoreAddress(url, isOnCommandLine: true, environment: CommandEnvironment.current).connect()
            defer { cluster.close() }
            for target in rules where dryRun {
                print("would deploy \(target.path) for databases \(target.database) of the cluster (\(target.rules.hash))")
            }
            if !dryRun, !rules.isEmpty {
                let rulesets = rules.map { target in
                    // Of this database only: rules for every database are those of `hearth rules deploy FILE`.
                    ClusterRuleset(
                        scope: target.database, hash: target.rules.source.digest,
                        text: String(decoding: target.rules.source.text, as: UTF8.self))
                }
                let nodes = try cluster.membership.deploy(rulesets, removing: [])
                print(nodes == 0 ? "no node is running" : "the rules are in effect on \(RulesText.count(nodes, "node"))")
            }
            let database = DatabaseID(projectID: project ?? DatabaseID.fallbackProject)
            try await AdminConnection.administer(.cluster(cluster), database, deploy)
        }
    #else
        private static func deploy(
            _ rules: [DeployPlan.Rules], toCluster url: String, project: String?, _ dryRun: Bool,
            _ deploy: @escaping @Sendable (AdminConnection) async throws -> Void
        ) async throws {
            _ = try StoreAddress(url, isOnCommandLine: true, environment: [:])
        }
    #endif
}
