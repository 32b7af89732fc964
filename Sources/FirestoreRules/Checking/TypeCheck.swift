// SPDX-License-Identifier: Apache-2.0

enum TypeCheck {
    static func warnings(_ program: Program, _ statements: [[AllowStatement]]) -> [RulesIssue] { [] }
}
