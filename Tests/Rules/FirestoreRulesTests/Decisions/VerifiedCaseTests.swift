// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// The verified cases of the reference: what the official emulator answers (SR-16, SR-40 … SR-60, SR-80 … SR-88, SR-90 … SR-99).
struct VerifiedCaseTests {
    @Test(arguments: VerifiedCase.all)
    func `answers equal the official emulator's`(row: VerifiedCase) throws {
        let fixture: RulesFixture
        do throws(RulesError) {
            fixture = try RulesFixture(row.rules, version: row.version)
        } catch {
            #expect(row.answer.hasPrefix("compile error: "), "\(error)")
            // The row gives the beginning of the message.
            #expect(error.description.hasPrefix(row.answer.dropFirst("compile error: ".count)), "\(error)")
            return
        }
        let request = try CaseRequest(row.request)
        var asked = fixture
        asked.caller = request.caller
        let isGranted = try asked.decide(request.operation).isGranted
        #expect(isGranted == row.answer.hasPrefix("allow"), "\(row.rules): \(row.answer)")
        #expect(row.answer.hasPrefix("allow") || row.answer.hasPrefix("deny"), "the row expects an error")
    }

    @Test func `the verified cases are numbered from 1 to 118`() {
        #expect(VerifiedCase.all.map(\.number) == Array(1...118))
    }
}
