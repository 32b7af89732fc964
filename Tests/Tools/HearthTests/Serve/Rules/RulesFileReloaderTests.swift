// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules
import FirestoreServer
import Foundation
import Logging
import TestSupport
import Testing

@testable import hearth

/// Files of rules that change, looked at at given moments.
struct RulesFileReloaderTests {
    private static let millisecond: Int64 = 1_000
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func rules(_ condition: String) -> String { RulesCommandTests.rules("match /a/{id} { allow read: if \(condition); }") }

    private func served(_ arguments: String...) throws -> RulesFileReloader {
        try RulesFileReloader(
            arguments.map { try RulesArgument($0) }, settings: RuleEnforcement.Settings(), countsCoverage: false, log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private static func hash(_ served: RulesFileReloader, _ database: String = "(default)") -> String {
        served.rules.rules(for: DatabaseID(projectID: "p", databaseID: database)).current.hash
    }

    private static func hash(_ text: String) throws -> String { try RuleSet(text).hash }

    @Test func `each database has its rules, and those without have the general ones`() throws {
        let (all, one) = (try folder.file("all.rules", Self.rules("true")), try folder.file("one.rules", Self.rules("false")))
        let both = try served(all, "one=\(one)")
        let (yes, no) = (try Self.hash(Self.rules("true")), try Self.hash(Self.rules("false")))
        #expect(Self.hash(both) == yes && Self.hash(both, "one") == no)
        // Rules for one database alone do not leave the others open.
        let single = try served("one=\(one)")
        let other = DatabaseID(projectID: "p", databaseID: "other")
        guard case .ruleSet(let closed) = single.rules.rules(for: other).current.rules else {
            Issue.record("open")
            return
        }
        let request = RulesRequest(.get([DocumentKey(trusted: "a/1")]), caller: .anonymous, database: other, time: TimestampValue(seconds: 0, nanoseconds: 0))
        #expect(try !closed.decide(request, RulesCaseState([], [], at: TimestampValue(seconds: 0, nanoseconds: 0), in: other)).isGranted)
        #expect(Self.hash(try served()) == "open")
    }

    @Test func `a changed file is taken when it has not changed for 200 ms`() throws {
        let file = try folder.file("a.rules", Self.rules("true"))
        let served = try served(file)
        let (old, new) = (try Self.hash(Self.rules("true")), try Self.hash(Self.rules("false")))
        served.look(at: 0)
        _ = try folder.file("a.rules", Self.rules("fal"))
        served.look(at: 100 * Self.millisecond)
        served.look(at: 250 * Self.millisecond)
        #expect(Self.hash(served) == old)
        // It changes again before the time is over.
        _ = try folder.file("a.rules", Self.rules("false"))
        served.look(at: 350 * Self.millisecond)
        served.look(at: 500 * Self.millisecond)
        #expect(Self.hash(served) == old)
        served.look(at: 560 * Self.millisecond)
        #expect(Self.hash(served) == new)
    }

    @Test(arguments: ["", "  \n", "rules_version = '2'; service cloud.firestore { match /databases", "nonsense", nil])
    func `a file that is empty, half written, wrong or missing leaves the rules active`(text: String?) throws {
        let file = try folder.file("a.rules", Self.rules("true"))
        let served = try served(file)
        let old = try Self.hash(Self.rules("true"))
        if let text { _ = try folder.file("a.rules", text) } else { try FileManager.default.removeItem(atPath: file) }
        for time in stride(from: Int64(0), through: 1_000, by: 100) { served.look(at: time * Self.millisecond) }
        #expect(Self.hash(served) == old)
        served.reload()
        #expect(Self.hash(served) == old)
        // Renamed into place.
        let new = try folder.file("new.rules", Self.rules("false"))
        #expect(rename(new, file) == 0)
        served.look(at: 2_000 * Self.millisecond)
        served.look(at: 2_200 * Self.millisecond)
        #expect(Self.hash(served) == (try Self.hash(Self.rules("false"))))
    }

    @Test func `a link that leads to another file is a change`() throws {
        _ = try folder.file("1.rules", Self.rules("true"))
        _ = try folder.file("2.rules", Self.rules("false"))
        let link = folder.file("a.rules")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "1.rules")
        let served = try served(link)
        try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "2.rules")
        #expect(rename(folder.file("b"), link) == 0)
        served.look(at: 0)
        served.look(at: 200 * Self.millisecond)
        #expect(Self.hash(served) == (try Self.hash(Self.rules("false"))))
    }

    @Test func `SIGHUP reads immediately`() throws {
        let file = try folder.file("a.rules", Self.rules("true"))
        let served = try served(file)
        _ = try folder.file("a.rules", Self.rules("false"))
        served.reload()
        #expect(Self.hash(served) == (try Self.hash(Self.rules("false"))))
        _ = file
    }

    @Test func `files that cannot be used stop the start, each with its problem`() throws {
        let (bad, empty) = (try folder.file("bad.rules", "x"), try folder.file("empty.rules", ""))
        let refusal = #expect(throws: StartRefusal.self) { try served("a=\(bad)", "b=\(empty)", "c=/nonexistent") }
        #expect(refusal?.lines.count == 3)
        #expect(refusal?.lines[0].hasPrefix("\(bad):1:1: error: ") == true && refusal?.lines[1].contains("is empty") == true)
    }
}
