// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth rules`: works on files of security rules.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check files of security rules, test them, and deploy them.",
        discussion: """
            `check` and `test` compile and evaluate rules by themselves: no server is needed. `deploy` gives them to all nodes of a \
            cluster. docs/guides/security-rules.md describes the \
            language, docs/reference/cli.md the format of test cases.

            EXIT CODES
              0  `check`: the rules can be used; `test`: every case passed
              1  `check`, `deploy`: there are errors; `test`: a case failed
              2  a file cannot be read, or the command was not understood

            EXAMPLES
              hearth rules check firestore.rules
              hearth rules check --strict firestore.rules
              hearth rules test firestore.rules cases.json
            """,
        subcommands: subcommands)

    #if Postgres
        private static let subcommands: [any ParsableCommand.Type] = [
            RulesCheckCommand.self, RulesTestCommand.self, RulesDeployCommand.self,
        ]
    #else
        private static let subcommands: [any ParsableCommand.Type] = [RulesCheckCommand.self, RulesTestCommand.self]
    #endif
}
