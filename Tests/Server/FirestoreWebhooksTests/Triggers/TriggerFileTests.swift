// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import TestSupport
import Testing

@testable import FirestoreWebhooks

@Suite struct TriggerFileTests {
    private static func read(
        _ text: String, project: String? = "p", exists: @escaping (DatabaseID) -> Bool = { _ in true }
    ) throws(TriggerFile.Mistake) -> [WebhookTrigger] {
        try TriggerFile(Array(text.utf8), path: "events.json", project: project, exists: exists).triggers
    }

    /// A file with one trigger, whose members are in lines 3 to 6; what is given is in line 6.
    private static func file(_ members: String, name: String = "\"mailer\"", document: String = "\"c/{id}\"", on: String = "[\"written\"]") -> String {
        "{\"triggers\": [\n{\n\"name\": \(name),\n\"document\": \(document),\n\"on\": \(on),\n\(members)\n}]}"
    }

    private static let url = "\"url\": \"https://example.com/e?x=1\""

    @Test("A trigger has what its members say")
    func members() throws {
        let folder = try ScratchFolder()
        let secret = try folder.file("secret", "# the new one\nwhsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nan older secret of length\n")
        let text = Self.file(
            """
            \(Self.url), "database": "projects/q/databases/other", "format": "cloudevents-json", "ordered": false, "concurrency": 3,
            "retry": "90m", "timeout": "5s", "from": "2026-01-02T03:04:05Z", "secretFile": "\(secret)"
            """, on: "[\"created\", \"deleted\"]")
        let trigger = try #require(try Self.read(text).first)
        #expect(trigger.trigger.name == "mailer" && trigger.trigger.pattern.description == "c/{id}")
        #expect(trigger.trigger.kinds == [.created, .deleted] && !trigger.isWritten)
        #expect(trigger.database == DatabaseID(projectID: "q", databaseID: "other"))
        #expect(trigger.url.host == "example.com" && trigger.url.port == 443 && trigger.url.usesTLS && trigger.url.target == "/e?x=1")
        #expect(trigger.format == .json && !trigger.trigger.isOrdered && trigger.trigger.concurrency == 3)
        #expect(trigger.trigger.ageLimit == .seconds(5_400) && trigger.timeout == .seconds(5) && trigger.secrets.count == 2)
        #expect(trigger.trigger.start == .time(DocumentVersion(microseconds: 1_767_323_045_000_000)))
    }

    @Test("Members that are missing have their defaults")
    func defaults() throws {
        let trigger = try #require(try Self.read(Self.file(Self.url)).first)
        #expect(trigger.database == DatabaseID(projectID: "p") && trigger.isWritten && trigger.trigger.kinds.count == 3)
        #expect(trigger.format == .protobuf && trigger.trigger.isOrdered && trigger.trigger.concurrency == 16)
        #expect(trigger.trigger.ageLimit == .seconds(86_400) && trigger.timeout == .seconds(30) && trigger.secrets.isEmpty)
        #expect(trigger.trigger.start == .now)
    }

    // OT-48
    @Test(
        "A mistake is refused with its line and what to do",
        arguments: [
            (file("\"url\": \"https://example.com\", \"urls\": 1"), 6, "unknown member \"urls\""),
            (file(url, name: "\"a b\""), 3, "not the name of a trigger"),
            (file(url, document: "\"c\""), 4, "matches collections"),
            (file(url, on: "[\"changed\"]"), 5, "created, updated, deleted and written"),
            (file(url, on: "[]"), 5, "name at least one"),
            (file(url, on: "[\"written\", \"created\"]"), 5, "includes the others"),
            (file("\"ordered\": true"), 2, "\"url\" is missing"),
            (file("\"url\": \"ftp://example.com\""), 6, "neither with https:// nor"),
            (file("\"url\": \"https://u:p@example.com\""), 6, "no user and no password"),
            (file("\"url\": \"http://169.254.169.254/latest\""), 6, "clouds keep secrets"),
            (file("\"url\": \"http://[fe80::1]/\""), 6, "clouds keep secrets"),
            (file("\"url\": \"not a url\""), 6, "not a URL"),
            (file("\(url), \"format\": \"xml\""), 6, "cloudevents-protobuf or"),
            (file("\(url), \"concurrency\": 0"), 6, "from 1 to 1000"),
            (file("\(url), \"retry\": \"soon\""), 6, "a duration is expected"),
            (file("\(url), \"from\": \"then\""), 6, "\"now\" or a time"),
            (file("\(url), \"secretFile\": \"/does/not/exist\""), 6, "cannot be read"),
            (file("\(url), \"database\": \"a/b\""), 6, "a database is named"),
            (file("\(url), \"database\": \"X\""), 6, "a database id is"),
            (file("\(url), \"database\": \"gone-database\""), 6, "there is no database gone-database"),
            (file("\(url), \"ordered\": 1"), 6, "true or false"),
            (file("\(url), \"ordered\": true, \"ordered\": true"), 6, "given twice"),
            (file("\(url) \"ordered\": true"), 6, "malformed"),
            ("{\"triggers\": {}}", 1, "an array is expected"),
            ("{\n\"trigger\": []}", 2, "unknown member \"trigger\""),
            ("", 1, "malformed"),
        ] as [(String, Int, String)])
    func mistakes(_ text: String, _ line: Int, _ what: String) throws {
        let mistake = try #require(throws: TriggerFile.Mistake.self) {
            try Self.read(text) { $0.databaseID != "gone-database" }
        }
        #expect(mistake.line == line, "\(mistake)")
        #expect(mistake.message.contains(what), "\(mistake)")
        #expect(mistake.description.hasPrefix("events.json:\(line): "))
    }

    // OT-48
    @Test("Two triggers of a database have different names; of two databases they may have the same")
    func twoOfAName() throws {
        func text(_ second: String) -> String {
            let members = "\"document\": \"c/{id}\", \"on\": [\"created\"], \(Self.url)"
            return "{\"triggers\": [{\"name\": \"a\", \(members)},\n{\(second), \(members)}]}"
        }
        let mistake = try #require(throws: TriggerFile.Mistake.self) { try Self.read(text("\"name\": \"a\"")) }
        #expect(mistake.line == 2 && mistake.message.contains("two triggers"))
        #expect(try Self.read(text("\"name\": \"a\", \"database\": \"other\"")).count == 2)
    }

    @Test("Without a project a trigger names its database")
    func noProject() throws {
        let mistake = try #require(throws: TriggerFile.Mistake.self) { try Self.read(Self.file(Self.url), project: nil) }
        #expect(mistake.message.contains("\"database\" is missing"))
    }

    // OT-57
    @Test("A file that is cut, or in which bytes are changed, is read or refused", arguments: 0..<UInt64(4))
    func damaged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = Array(Self.file(Self.url + ", \"retry\": \"1h\", \"secretFile\": \"\\u0041\"").utf8)
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            do throws(TriggerFile.Mistake) {
                _ = try TriggerFile(bytes, path: "f", project: "p")
            } catch {
                #expect((1...10).contains(error.line) && !error.message.isEmpty)
            }
        }
    }
}
