// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `hearth schema`: the table, JSON, and what has changed (MP-37).
@Suite(.waitingForProcesses) struct SchemaCommandTests {
    private static let lines = """
        {"path":"cities/LA","fields":{"founded":1781,"name":"Los Angeles","place":{"zip":"90001"}}}
        {"path":"cities/SF","fields":{"name":"San Francisco","place":{"zip":"94016","bay":true}}}

        """

    @Test func `a table shows fields and types, and JSON is the same each time`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        let table = try HearthCommand("schema", "cities", "--from", file)
        #expect(table.exitCode == 0)
        #expect(table.output == """
            path       types    present  share  notes
            founded    integer        1  50 %
            name       string         2  100 %
            place      map            2  100 %
            place.bay  boolean        1  50 %
            place.zip  string         2  100 %  numerals

            """.replacing("50 %\n", with: " 50 %\n") || table.output.contains("founded    integer        1   50 %"), "\(table.output)")
        let json = try HearthCommand("schema", "cities", "--from", file, "--json")
        #expect(json.output == (try HearthCommand("schema", "show", "cities", "--from", file, "--output", "json").output))
        #expect(try json.object()["documents"] as? Int == 2)
        #expect(!json.output.contains("Angeles") && !json.output.contains("94016"))
        #expect(try HearthCommand("schema", "nothing", "--from", file).exitCode == 1)
        #expect(try HearthCommand("schema", "cities", "--from", "/nonexistent").exitCode == 2)
    }

    @Test func `drift ends with 1`() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("a.jsonl", Self.lines)
        let schema = try folder.file("a.json", try HearthCommand("schema", "cities", "--from", file, "--json").output)
        let same = try HearthCommand("schema", "cities", "--from", file, "--against", schema)
        #expect(same.exitCode == 0 && same.output.isEmpty, "\(same.output)\(same.errors)")
        let later = try folder.file("b.jsonl", Self.lines + "{\"path\":\"cities/X\",\"fields\":{\"name\":5,\"mayor\":null}}\n")
        let drift = try HearthCommand("schema", "cities", "--from", later, "--against", schema)
        #expect(drift.exitCode == 1)
        #expect(drift.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
            "change path types examples", "added mayor null X", "widened name string → integer, string X", "optional place was in every document",
        ], "\(drift.output)")
        let new = try folder.file("b.json", try HearthCommand("schema", "cities", "--from", later, "--json").output)
        let diff = try HearthCommand("schema", "diff", schema, new)
        #expect(diff.exitCode == 1 && diff.output == drift.output)
        #expect(try HearthCommand("schema", "diff", schema, schema).exitCode == 0)
        let json = try HearthCommand("schema", "diff", schema, new, "--json")
        #expect((try json.object()["changes"] as? [[String: Any]])?.count == 3)
        let wrong = try HearthCommand("schema", "diff", schema, file)
        #expect(wrong.exitCode == 2 && wrong.errors.contains("hearth schema: "), "\(wrong.errors)")
    }
}
