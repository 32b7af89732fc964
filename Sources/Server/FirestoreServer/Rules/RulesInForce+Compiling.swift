// SPDX-License-Identifier: Apache-2.0
package import FirestoreEnforcement
package import FirestoreRules

extension RulesInForce.Rules {
    /// The rules of a text; broken ones with its errors.
    package init(compiling source: RulesSource) {
        do throws(RulesError) {
            self = .ruleSet(try RuleSet(source))
        } catch {
            self = .broken(error)
        }
    }

    /// Refuse every request: for databases without rules where there are rules for other ones only.
    package static var closed: RulesInForce.Rules {
        RulesInForce.Rules(
            compiling: RulesSource(
                "rules_version = '2'; service cloud.firestore { match /{all=**} { allow read, write: if false; } }", name: "no rules"))
    }
}
