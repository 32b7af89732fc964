// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import hearth

/// What settings about security mean together.
struct SecuritySettingsTests {
    static func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> SecuritySettings {
        try #require(try ServeSettings(words: arguments, environment: environment).guest(SecurityGuest.self)).security
    }

    private static let tls = ["--tls-cert", "a.pem", "--tls-key", "b.pem"]

    static let modes: [(arguments: [String], environment: [String: String], isDevelopment: Bool)] = [
        ([], [:], true), (["--host", "127.0.0.5"], [:], true), (["--host", "::1"], [:], true), (["--host", "localhost"], [:], true), (["--allow-everything"], [:], true),
        (["--rules", "r"], [:], false), (["--admin-key-file", "k"], [:], false), (["--firebase-project", "p"], [:], false), (["--issuer", "i"], [:], false), (tls, [:], false),
        ([], ["HEARTH_RULES": "r"], false), ([], ["HEARTH_ADMIN_KEY_FILE": "k"], false), (["--allow-everything", "--host", "0.0.0.0"], [:], false), ([], ["HEARTH_DEVELOPMENT": "false"], false),
        (["--development"], [:], true), (["--development", "--rules", "r"], [:], true), (["--development", "--admin-key-file", "k"], [:], true), (["--rules", "r"], ["HEARTH_DEVELOPMENT": "true"], true),
        (["--strict-lists", "--trusted-proxy", "10.0.0.1"], [:], true),
    ]

    @Test(arguments: modes.indices)
    func `development mode is chosen, or implied by the absence of everything else`(index: Int) throws {
        let (arguments, environment, isDevelopment) = Self.modes[index]
        #expect(try Self.settings(arguments, environment).isDevelopment == isDevelopment)
    }

    static let refusals: [(arguments: [String], environment: [String: String], part: String)] = [
        (["--host", "0.0.0.0"], [:], "without --rules, every client that reaches 0.0.0.0 could read and write everything"), (["--host", "db.example.com"], [:], "--allow-everything"),
        (["--host", "0.0.0.0", "--admin-key-file", "k"] + tls, [:], "--rules FILE"), ([], ["HEARTH_HOST": "::"], "listen on 127.0.0.1"), (["--host", "128.0.0.1"], [:], "without --rules"),
        (["--development", "--host", "0.0.0.0"], [:], "must listen on a loopback address"), (["--development", "--host", "0.0.0.0", "--rules", "r"], [:], "not on 0.0.0.0"),
        (["--development", "--host", "0.0.0.0", "--allow-everything"], [:], "loopback"), (["--development", "--firebase-project", "p"], [:], "--firebase-project has no meaning"),
        (["--development", "--issuer", "i"], [:], "--issuer has no meaning"), (["--rules", "r", "--allow-everything"], [:], "exclude each other"), (["--rules", "a", "--rules", "b"], [:], "two files for all databases"),
        (["--rules", "d=a", "--rules", "d=b"], [:], "two files for the database d"), (["--rules", "d="], [:], "the path of the file is missing"), (["--rules", ""], [:], "the path of the file is missing"),
        (["--token-skew", "301"], [:], "between 0 and 300"), (["--token-skew=-1"], [:], "between 0 and 300"), ([], ["HEARTH_TOKEN_SKEW": "some"], "the environment variable HEARTH_TOKEN_SKEW is not"),
        (["--firebase-project", "a/b"], [:], "not the id of a project"), (["--trusted-proxy", "proxy.example"], [:], "is not an address"), (["--trusted-proxy", "10.0.0.0/33"], [:], "is not an address"),
        ([], ["HEARTH_DEVELOPMENT": "perhaps"], "is not true or false"),
    ]

    @Test(arguments: refusals.indices)
    func `settings that contradict each other or safety are rejected`(index: Int) {
        let (arguments, environment, part) = Self.refusals[index]
        let error = #expect(throws: (any Error).self) { try Self.settings(arguments, environment) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(part), "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
        ("firestore.rules", nil, "firestore.rules"), ("(default)=a.rules", "(default)", "a.rules"), ("reports=/etc/a=b.rules", "reports", "/etc/a=b.rules"),
        ("./a=b.rules", nil, "./a=b.rules"), ("A=b.rules", nil, "A=b.rules"), ("=x", nil, "=x"),
    ] as [(String, String?, String)])
    func `rules are for one database or for all`(text: String, database: String?, path: String) throws {
        let argument = try RulesArgument(text)
        #expect(argument.database == database && argument.path == path && argument.text == text)
    }

    @Test func `a setting can be an option, a variable or a member of the file`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file(
            "hearth.json", #"{"rules": ["a.rules", "d=b.rules"], "strict-lists": true, "token-skew": 5, "firebase-project": "p", "trusted-proxy": ["10.0.0.0/8"]}"#)
        let fromFile = try Self.settings(["--config", file])
        #expect(fromFile.rules.map(\.path) == ["a.rules", "b.rules"] && fromFile.strictLists && fromFile.tokenSkew == 5 && fromFile.firebaseProjects == ["p"])
        let mixed = try Self.settings(["--config", file, "--rules", "c.rules"], ["HEARTH_TOKEN_SKEW": "7", "HEARTH_FIREBASE_PROJECT": "q, r"])
        #expect(mixed.rules.map(\.path) == ["c.rules"] && mixed.tokenSkew == 7 && mixed.firebaseProjects == ["q", "r"])
    }
}
