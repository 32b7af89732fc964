// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEnforcement
@testable import FirestoreRules

/// What reads are judged on.
struct JudgedReadTests {
    /// Ways to ask for the time of a request; without one of them the clock is not asked.
    @Test(arguments: ["request.time", "request['time']", "time(request)", "request.get('time', null)", "variable()"])
    func `the time of a read is that of the clock, however a condition asks for it`(expression: String) async throws {
        let functions = "function time(r) { return r.time; } function variable() { let r = request; return r.time; }"
        let clock = ManualClock(microseconds: 1_750_000_000_000_000)
        let database = try await RuledDatabase(
            "\(functions) match /c/{id} { allow get: if \(expression) == timestamp.value(1750000000000); }", clock: clock)
        let found = try await database.service.documents([key("c/1")], options: .acknowledged(), context: .anonymous)
        #expect(found.documents.count == 1)
        clock.advance(microseconds: 1_000)
        await #expect(throws: FirestoreError.self) {
            try await database.service.documents([key("c/1")], options: .acknowledged(), context: .anonymous)
        }
        await database.close()
    }

    @Test(arguments: [0, 1, 16, 17, 40])
    func `a sample knows its documents, the first of several with one key`(count: Int) throws {
        let keys = (0..<count).map { key("c/\($0)") }
        let documents = keys.map { key -> Document? in
            let time = DocumentVersion(microseconds: 1)
            return Document(key: key, createTime: time, updateTime: time, fields: .empty)
        }
        var sample = RuleEnforcement.Sample(keys + keys, documents + documents.map { _ in nil })
        for key in keys { #expect(sample[key]??.key == key) }
        #expect(sample[key("c/none")] == nil)
        for number in 0..<20 { sample.learn(nil, of: key("d/\(number)")) }
        for key in keys { sample.learn(nil, of: key) }
        for known in keys + (0..<20).map({ key("d/\($0)") }) {
            let document = try #require(sample[known])
            #expect(document == nil)
        }
    }
}
