// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

struct SmokeTests {
    @Test func `compiles`() throws {
        _ = try RuleSet("rules_version = '2'; service cloud.firestore { match /a/{b} { allow read; } }")
    }
}
