// SPDX-License-Identifier: Apache-2.0

enum AssumptionCheck {
    static func findings(_ rules: CompiledRules) -> (nodes: Set<NodeID>, warnings: [RulesIssue]) { ([], []) }
}
