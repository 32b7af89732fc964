// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth rules`: works on files of security rules, without a server.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check files of security rules, and test them.",
        discussion: """
            Rules are compiled and evaluated by this command itself: no server is needed. docs/guides/security-rules.md describes the \
            language, docs/reference/cli.md the format of test cases.

            EXIT CODES
              0  `check`: the rules can be used; `test`: every case passed
              1  `check`: there are errors; `test`: a case failed
              2  a file cannot be read, or the command was not understood

            EXAMPLES
              hearth rules check firestore.rules
              hearth rules check --strict firestore.rules
              hearth rules test firestore.rules cases.json
            """,
        subcommands: [RulesCheckCommand.self, RulesTestCommand.self])
}
