// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreServer

struct QuotaFileTests {
    @Test func `a file has every limit`() throws {
        let text = """
            {
              "user": {"reads": {"minute": 1000, "day": 50000}, "writes": {"minute": 100}, "writtenBytes": {"day": 1000000}, "listeners": 50},
              "anonymous": {"reads": {"minute": 0}},
              "database": {"listeners": 10000, "bytes": 10000000000},
              "project": {"databases": 5}
            }
            """
        let limits = try QuotaFile.limits(Array(text.utf8), path: "quotas.json")
        #expect(limits.user.reads == QuotaLimits.Rate(minute: 1_000, day: 50_000))
        #expect(limits.user.writes == QuotaLimits.Rate(minute: 100))
        #expect(limits.user.writtenBytes == QuotaLimits.Rate(day: 1_000_000))
        #expect(limits.user.listeners == 50)
        #expect(limits.anonymous.reads == QuotaLimits.Rate(minute: 0))
        #expect(limits.anonymous.writes == QuotaLimits.Rate())
        #expect(limits.database.listeners == 10_000)
        #expect(limits.databaseBytes == 10_000_000_000)
        #expect(limits.databasesPerProject == 5)
        #expect(try QuotaFile.limits(Array("{}".utf8), path: "quotas.json") == QuotaLimits())
    }

    @Test(arguments: [
        ("{\n\"user\": {\n\"read\": 1}}", "quotas.json:2: user: unknown member \"read\""),
        ("{\n\"user\": {\n\"reads\": 1}}", "quotas.json:3: user.reads: an object is expected"),
        ("{\n\"user\": {\"reads\": {\n\"minute\": -1}}}", "quotas.json:3: user.reads.minute: a number from 0 to 10000000000 is expected"),
        ("{\"user\": {\"reads\":\n{\"minute\": 10, \"day\": 9}}}", "quotas.json:2: user.reads: a day may not have less than a minute"),
        ("{\"user\": {\"bytes\": 5}}", "quotas.json:1: user: unknown member \"bytes\""),
        ("{\n\n\"user\": }", "quotas.json:3: "), ("[]", "quotas.json:1: an object is expected"),
        ("{\"project\": {\"databases\": \"x\"}}", "quotas.json:1: project.databases: "),
    ])
    func `a mistake has its line and its member`(text: String, message: String) {
        let mistake = #expect(throws: QuotaFile.Mistake.self) { try QuotaFile.limits(Array(text.utf8), path: "quotas.json") }
        #expect(mistake?.description.hasPrefix(message) == true, "\(mistake?.description ?? "")")
    }

    @Test func `a file that does not exist is a mistake`() {
        let mistake = #expect(throws: QuotaFile.Mistake.self) { try QuotaFile.read("/nowhere/quotas.json") }
        #expect(mistake?.description == "/nowhere/quotas.json:1: the file of quotas does not exist or cannot be read")
    }
}
