// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// pipeline on a file and on a server.
@Suite(.waitingForProcesses) struct PipelineCommandTests {
    private static let cities = [
        ("cities/SF", #"{"name": "San Francisco", "population": 860000}"#), ("cities/LA", #"{"name": "Los Angeles", "population": 3900000}"#),
        ("cities/TOK", #"{"name": "東京", "population": 9000000}"#),
    ]

    private static let rest = #"{"stages":[{"name":"collection","args":[{"referenceValue":"/cities"}]},{"name":"limit","args":[{"integerValue":"1"}]}]}"#

    private static let id = #"{"path":"cities/LA","fields":{"name":"Los Angeles","population":3900000},"createTime":"TIME","updateTime":"TIME"}"# + "\n"

    static let outputs: [(pipeline: String, arguments: [String], output: String)] = [
        ("collection(/cities) limit(1)", [], id), (rest, [], id), (#"{"pipeline":\#(rest)}"#, [], id), (#"{"structuredPipeline":{"pipeline":\#(rest)}}"#, [], id),
        ("collection(/cities) select(name) sort(name desc) limit(2)", [], "{\"fields\":{\"name\":\"東京\"}}\n{\"fields\":{\"name\":\"San Francisco\"}}\n"),
        ("collection(/cities)\nwhere(greater_than(population, 1000000)) # large ones\n", ["-o", "table"], "id   name         population\nLA   Los Angeles     3900000\nTOK  東京            9000000\n"),
        ("collection(/cities) aggregate(count() as n, maximum(population) as most)", ["-o", "table"], "most     n\n9000000  3\n"),
        ("collection(/cities) aggregate(count() as n)", ["-o", "json"], "[\n  {\n    \"fields\": {\n      \"n\": 3\n    }\n  }\n]\n"),
        ("collection(/cities) aggregate(count() as n)", ["-o", "pretty"], "n: 3\n"), ("collection(/none)", [], ""), ("collection(/none)", ["-o", "json"], "[]\n"),
        ("documents(/cities/LA) select(name, __name__)", ["-o", "pretty"], "cities/LA\n  name: \"Los Angeles\"\n"),
        ("literals({}, {a: [[1]]})", ["-o", "pretty"], "{}\n\na: [[1]]\n"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `rows have the requested form`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        let folder = try ScratchFolder()
        for (pipeline, arguments, output) in Self.outputs {
            let file = try folder.file("a.pipeline", pipeline)
            let command = try place.run(["pipeline", file] + arguments)
            #expect(command.exitCode == 0 && command.errors.isEmpty, "\(pipeline): \(command.errors)")
            #expect(command.timeless == output, "\(pipeline)")
            #expect(try place.run(["pipeline", "-"] + arguments, input: pipeline).output == command.output)
        }
    }

    // PL-32, PL-217
    @Test(arguments: CommandPlace.Kind.allCases)
    func `rows are printed that no document could be`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        let list = "[[1, [2, []]], [[]]]"
        let odd = "literals({nested: \(list), empty: {\"\": \"x\"}, \"\": \"unnamed\", \"__x__\": 1})"
        let outputs = [
            "jsonl": #"{"fields":{"":"unnamed","__x__":1,"empty":{"":"x"},"nested":[[1,[2,[]]],[[]]]}}"#,
            "pretty": "``: \"unnamed\"\n__x__: 1\nempty: {\"\": \"x\"}\nnested: \(list)",
            "table": "``       __x__  empty      nested\nunnamed      1  {\"\": \"x\"}  \(list)",
        ]
        for (output, expected) in outputs {
            let command = try place.run("pipeline", "-", "-o", output, input: odd)
            #expect(command.exitCode == 0 && command.output == expected + "\n", "\(output): \(command)")
        }
        let deep = String(repeating: "{\"m\":", count: 60) + "1" + String(repeating: "}", count: 60)
        #expect(try place.run("pipeline", "-", input: "literals({deep: \(deep)})").output == "{\"fields\":{\"deep\":\(deep)}}\n")
        for output in ["json", "pretty", "table"] {
            let command = try place.run("pipeline", "-", "-o", output, input: "literals({deep: \(deep)})")
            let levels = command.output.split(whereSeparator: { " {}:\"\n".contains($0) }).filter { $0 == "m" }.count
            #expect(command.exitCode == 0 && levels == 60, "\(output)")
        }
    }

    static let mistakes: [(pipeline: String, part: String)] = [
        ("collection(/cities) filter(true)", "standard input, line 1, column 21: there is no stage “filter”"), ("", "no stages"), ("{", "malformed"), ("[]", "a stage is expected"),
        (#"{"stages":[{"nam":"x"}]}"#, "nam"), (#"{"stages":[],"structuredPipeline":{}}"#, "standard input"), ("collection(/cities) where(nothing(a))", "stage 2 (where)"),
        (#"{"structuredPipeline":{"pipeline":{"stages":[{"name":"database"}]}},"newTransaction":{}}"#, "a transaction cannot be named here"),
        ("collection(/cities) delete()", "add --yes"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `mistakes end with 2, a reason, and no output`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        for (pipeline, part) in Self.mistakes {
            let command = try place.run("pipeline", "-", input: pipeline)
            #expect(command.exitCode == 2 && command.output.isEmpty, "\(pipeline): \(command)")
            #expect(command.errors.contains(part), "\(pipeline): \(command.errors)")
        }
        #expect(try place.run("pipeline", "/nowhere/at/all").errors.contains("cannot be read"))
        #expect(try place.run("pipeline", "-", "--explain", "--analyze", input: "database()").errors.contains("exclude each other"))
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `a pipeline is explained, also one that writes`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        for arguments in [["--explain"], ["--analyze"], ["--explain", "-o", "json"]] {
            let command = try place.run(["pipeline", "-"] + arguments, input: "collection(/cities) where(equal(name, \"x\"))")
            #expect(command.exitCode == 0 && !command.output.isEmpty, "\(command)")
            #expect(command.output.hasPrefix("{") == (arguments.count > 1))
        }
        #expect(try place.run("pipeline", "-", "--explain", input: "collection(/cities) delete()").exitCode == 0)
        #expect(try place.run("count", "cities").output == "3\n")
    }
}
