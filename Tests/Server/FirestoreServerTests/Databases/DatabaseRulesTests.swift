// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

/// Names of databases (DM-2), and the files they get.
struct DatabaseRulesTests {
    @Test(arguments: ["(default)", "abcd", "my-database-2", "a23456789012345678901234567890123456789012345678901234567890123"])
    func `ids that are legal`(id: String) throws {
        try DatabaseRules.check(DatabaseID(projectID: "p", databaseID: id))
    }

    @Test(arguments: [
        "", "abc", "Abcd", "1abc", "abcd-", "-abcd", "ab_cd", "abcd.", "..", "../x", "(other)",
        "a234567890123456789012345678901234567890123456789012345678901234",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "名前です",
    ])
    func `ids that are not`(id: String) {
        #expect(throws: FirestoreError.self) { try DatabaseRules.check(DatabaseID(projectID: "p", databaseID: id)) }
    }

    @Test(arguments: ["", "a/b", String(repeating: "p", count: 81)])
    func `projects that cannot be`(project: String) {
        #expect(throws: FirestoreError.self) { try DatabaseRules.check(DatabaseID(projectID: project)) }
    }

    @Test(arguments: [
        ("library", "(default)", "library/_default.sqlite"),
        ("library", "default", "library/default.sqlite"),
        ("..", "(default)", "%2E%2E/_default.sqlite"),
        (".", "abcd", "%2E/abcd.sqlite"),
        ("example.com:api", "abcd", "example%2Ecom%3Aapi/abcd.sqlite"),
        ("a%2F", "abcd", "a%252F/abcd.sqlite"),
        ("é", "abcd", "%C3%A9/abcd.sqlite"),
        ("e\u{301}", "abcd", "e%CC%81/abcd.sqlite"),
    ])
    func `a file per database, never outside of the directory`(project: String, database: String, path: String) {
        #expect(DatabaseRules.relativePath(of: DatabaseID(projectID: project, databaseID: database)) == path)
    }
}
