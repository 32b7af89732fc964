// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct QuotedNameTests {
    @Test func `a short name is quoted as it is`() {
        #expect("name".quoted == "name")
        #expect(String(repeating: "n", count: 200).quoted == String(repeating: "n", count: 200))
    }

    @Test(arguments: ["n", "é", "€", "😀"])
    func `of a long name two hundred bytes are quoted, and no part of a character`(character: String) {
        let text = String(repeating: character, count: 1_000).quoted
        #expect(text.hasSuffix("…"))
        #expect(text.utf8.count <= QuotedName.bytes + 3 && text.utf8.count > QuotedName.bytes - 5)
        #expect(text.dropLast().allSatisfy { String($0) == character })
    }

    @Test(arguments: [10_000, 1_000_000])
    func `errors that quote what a stranger sent stay short`(count: Int) throws {
        let name = String(repeating: "x", count: count)
        let errors: [() throws -> Void] = [
            { _ = try PathCheck.documentKey("c/\(name)") },
            { _ = try PathCheck.fieldPath(wire: "\(name)-") },
            { try PathCheck.checkWritable(FieldPathSegments(["__\(name)__"])) },
            { _ = try PipelineText.parse("\(name)(1)") },
            { _ = try FieldMap(JSONNode(try JSON("{\"a\":{\"\(name)\":1}}".utf8))) },
            { try JSONNode(try JSON("{\"\(name)\":1}".utf8)).allow(only: "a") },
        ]
        for (number, run) in errors.enumerated() {
            do {
                try run()
                Issue.record("\(number) does not fail")
            } catch {
                #expect("\(error)".utf8.count < 700, "\(number)")
            }
        }
    }
}
