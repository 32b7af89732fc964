// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import ArgumentParser
    import FirestoreCore
    import FirestorePostgres
    import FirestoreRules
    import FirestoreStorage

    /// `hearth rules deploy FILE…`: gives all nodes of a cluster their rules.
    struct RulesDeployCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deploy",
            abstract: "Put rules in effect on all nodes of a cluster.",
            discussion: """
                Compiles the files, and stores them on the PostgreSQL server of `hearth serve --store`. When the command ends, every \
                node judges by them, and no request is granted by those before. A node that does not answer is waited for until its \
                lease has ended, 5 s; it grants nothing until it has the new rules.

                FILE is for all databases without rules of their own, DATABASE=FILE for the databases of an id. Rules of other \
                databases stay as they are.

                EXIT CODES
                  0  the rules are in effect
                  1  there are errors in the rules; nothing has changed
                  2  a file or the server cannot be read, or the command was not understood

                EXAMPLES
                  hearth rules deploy --store postgres://hearth@db.example.com/hearth firestore.rules
                  hearth rules deploy firestore.rules archive=archive.rules
                  hearth rules deploy --remove archive
                """)

        @OptionGroup var store: StoreAddressOptions

        @Option(help: ArgumentHelp("Remove the rules of the databases with this id. Can be given several times.", valueName: "database"))
        var remove: [String] = []

        @Argument(
            help: ArgumentHelp("FILE, or DATABASE=FILE for the databases of an id.", valueName: "file"),
            completion: .file(extensions: ["rules"]))
        var files: [String] = []

        func run() async throws {
            let arguments = try files.map(RulesArgument.init)
            try check(arguments)
            let compiled = try arguments.map(compile)
            let rulesets = try zip(arguments, compiled).map { argument, rules in
                guard let rules else { throw Outcome.findings }
                return ClusterRuleset(
                    scope: argument.database ?? "", hash: rules.source.digest, text: String(decoding: rules.source.text, as: UTF8.self))
            }
            let cluster = try store.address().connect()
            defer { cluster.close() }
            let nodes = try cluster.membership.deploy(rulesets, removing: remove)
            for (argument, rules) in zip(arguments, compiled) {
                print("\(argument.path): deployed for \(argument.scopeText) (\(rules?.hash ?? ""))")
            }
            for database in remove { print("removed the rules of databases \(database)") }
            print(nodes == 0 ? "no node is running" : "in effect on \(RulesText.count(nodes, "node"))")
        }

        private func check(_ arguments: [RulesArgument]) throws {
            guard !arguments.isEmpty || !remove.isEmpty else { throw ValidationError("name a file with rules, or --remove DATABASE") }
            var scopes: Set<String> = Set(remove)
            guard scopes.count == remove.count, arguments.allSatisfy({ scopes.insert($0.database ?? "").inserted }) else {
                throw ValidationError("the rules of one scope are named twice")
            }
        }

        /// nil after errors, which are printed.
        private func compile(_ argument: RulesArgument) throws -> RuleSet? {
            do {
                let rules = try RulesFile(reading: argument.path).compile()
                for issue in rules.issues { StandardError.say(issue.text(in: rules.source)) }
                return rules
            } catch let error as RulesError {
                for issue in error.issues { StandardError.say(issue.text(in: error.source)) }
                return nil
            } catch let error as RulesFile.Unreadable {
                StandardError.say("hearth rules deploy: \(error.message)")
                throw Outcome.failure
            }
        }
    }
#endif
