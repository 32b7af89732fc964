// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

struct PipelineTextTests {
    @Test(arguments: [
        "collection(/books)\nwhere(equal(a.b, \"x\"))\nsort(n descending, `a b` ascending)\nselect(title, add(n, 1) as m)\nlimit(20)",
        "collection_group(\"notes\")\naggregate(count() as n, sum(x) as s, groups: [genre])",
        "literals({a: 1, b: [1, {c: null}]})\nunnest(b as item, index_field: \"at\")",
        "raw_stage(\"new_stage\", 1, {a: b})\nraw_stage(\"limit\")",
        "collection(/a)\nselect(collection(/b).where(equal($x, 1)).limit(1) as first, call(\"collection\", 1) as c)",
        "documents(/a/b, reference(\"projects/p/databases/d/documents/a/ä\"))\nsample(2 documents)",
    ])
    func `printing and parsing are inverse`(text: String) throws {
        let pipeline = try PipelineText.parse(text)
        let printed = PipelineText.print(pipeline.stages)
        #expect(try PipelineText.parse(printed) == pipeline, "\(printed)")
        #expect(printed.split(separator: "\n").count == pipeline.stages.count)
    }

    @Test func `the places of stages are known, without those in expressions`() throws {
        var places: [PipelineTextPlace] = []
        let text = "# first\ncollection(/a). limit(1)\n  select(collection(/b).limit(2) as x,\n y) offset(1)"
        let pipeline = try PipelineText.parse(text, places: &places)
        #expect(pipeline.stages.map(\.name) == ["collection", "limit", "select", "offset"])
        #expect(places.map { [$0.line, $0.column] } == [[2, 1], [2, 17], [3, 3], [4, 5]])
    }

    @Test(arguments: [
        ("", 1, 1, 1), ("  \n", 1, 2, 1), ("42", 1, 1, 1), ("filter(a)", 1, 1, 1), ("collection(/a)\n  filter(true)", 2, 2, 3),
        ("collection(/a) limit(1", 2, 1, 23), ("collection(/a).", 2, 1, 16), ("collection(/a)\nlimit(1) ?", 3, 2, 10),
        ("collection(/a) select(\"é😀\" as x, 1)", 2, 1, 34), ("collection(/a)\nselect(collection(/b).nonsense() as n)", 2, 2, 23),
        ("collection(/a) where(equal(a, 99999999999999999999))", 2, 1, 31),
    ] as [(String, Int, Int, Int)])
    func `a mistake has its stage, line and column`(text: String, stage: Int, line: Int, column: Int) {
        do throws(PipelineTextMistake) {
            _ = try PipelineText.parse(text)
            Issue.record("“\(text)” was parsed")
        } catch {
            #expect([error.stage, error.place.line, error.place.column] == [stage, line, column], "\(text): \(error.reason)")
            #expect(!error.reason.isEmpty && error.error.location == "line \(line), column \(column)")
        }
    }
}
