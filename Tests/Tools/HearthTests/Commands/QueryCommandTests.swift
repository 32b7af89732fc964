// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// query, count, collections, explain on a file and on a server.
@Suite(.waitingForProcesses) struct QueryCommandTests {
    private static let cities = [
        ("cities/SF", #"{"name": "San Francisco", "state": "CA", "population": 860000, "regions": ["west_coast", "norcal"]}"#),
        ("cities/LA", #"{"name": "Los Angeles", "state": "CA", "population": 3900000, "regions": ["west_coast", "socal"]}"#),
        ("cities/DC", #"{"name": "Washington", "state": null, "population": 680000, "regions": ["east_coast"], "capital": true}"#),
        ("cities/TOK", #"{"name": "東京", "population": 9000000, "regions": ["kanto"], "capital": true}"#),
        ("cities/SF/landmarks/bridge", #"{"name": "Golden Gate"}"#), ("cities/TOK/landmarks/tower", #"{"name": "Tokyo Tower"}"#),
        ("cities/none/landmarks/x", #"{"name": "nowhere"}"#),
    ]

    static let queries: [(arguments: [String], ids: [String])] = [
        (["cities"], ["DC", "LA", "SF", "TOK"]), (["cities", "--where", "population > 1000000"], ["LA", "TOK"]),
        (["cities", "--where", "population > 1000000", "--where", "capital == true"], ["TOK"]), (["cities", "-w", "state == null"], ["DC"]),
        (["cities", "--where", "state == \"CA\" or capital == true"], ["DC", "LA", "SF", "TOK"]),
        (["cities", "--any", "name == \"Washington\"", "--any", "population > 5000000"], ["DC", "TOK"]),
        (["cities", "--any", "state == \"CA\"", "--any", "capital == true", "--where", "population < 1000000"], ["DC", "SF"]),
        (["cities", "--where", "regions array-contains \"west_coast\""], ["LA", "SF"]),
        (["cities", "--where", "regions array-contains-any [\"kanto\", \"norcal\"]"], ["SF", "TOK"]), (["cities", "--where", "name in [\"東京\", \"x\"]"], ["TOK"]),
        (["cities", "--where", "name not-in [\"東京\", \"Washington\"]", "--order-by", "name"], ["LA", "SF"]),
        (["cities", "--where", "__name__ >= \"LA\""], ["LA", "SF", "TOK"]), (["cities", "--order-by", "population:desc"], ["TOK", "LA", "SF", "DC"]),
        (["cities", "--order-by", "population", "--limit", "2"], ["DC", "SF"]), (["cities", "--order-by", "population", "--limit-to-last", "2"], ["LA", "TOK"]),
        (["cities", "--order-by", "population", "--offset", "1", "--limit", "1"], ["SF"]), (["cities", "--order-by", "state", "--order-by", "population:desc"], ["DC", "LA", "SF"]),
        (["cities", "--order-by", "population", "--start-at", "860000"], ["SF", "LA", "TOK"]), (["cities", "--order-by", "population", "--start-after", "860000"], ["LA", "TOK"]),
        (["cities", "--order-by", "population", "--end-at", "860000"], ["DC", "SF"]), (["cities", "--order-by", "population", "--end-before", "860000"], ["DC"]),
        (["cities", "--order-by", "state", "--order-by", "population", "--start-after", "\"CA\", 860000"], ["LA"]),
        (["cities", "--order-by", "__name__:desc", "--start-after", "\"SF\""], ["LA", "DC"]), (["landmarks", "--group"], ["bridge", "tower", "x"]),
        (["cities/SF/landmarks", "--group"], ["bridge"]), (["cities/none/landmarks"], ["x"]), (["nothing"], []), (["cities", "--limit", "0"], []),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `queries find their documents, in order`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        for (arguments, ids) in Self.queries {
            let command = try place.run(["query"] + arguments)
            #expect(command.exitCode == 0, "\(arguments): \(command.errors)")
            let found = try command.output.split(separator: "\n").map { line in
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                return try #require(object["path"] as? String).split(separator: "/").last.map(String.init)
            }
            #expect(found == ids, "\(arguments)")
            let count = try place.run(["count"] + arguments)
            #expect(count.output == "\(ids.count)\n", "\(arguments): \(count)")
        }
    }

    static let outputs: [(arguments: [String], output: String)] = [
        (
            ["query", "cities", "--select", "name,population", "-o", "table"],
            "id   name           population\nDC   Washington         680000\nLA   Los Angeles       3900000\nSF   San Francisco      860000\nTOK  東京              9000000\n"
        ),
        (["query", "cities", "--select", "__name__", "--limit", "1"], #"{"path":"cities/DC","fields":{},"createTime":"TIME","updateTime":"TIME"}"# + "\n"),
        (["query", "landmarks", "--group", "-o", "table"], "path                        name\ncities/SF/landmarks/bridge  Golden Gate\ncities/TOK/landmarks/tower  Tokyo Tower\ncities/none/landmarks/x     nowhere\n"),
        (["query", "cities", "--select", "name", "--limit", "2", "-o", "pretty"], "cities/DC\n  name: \"Washington\"\n\ncities/LA\n  name: \"Los Angeles\"\n"),
        (
            ["query", "cities", "--select", "name", "--limit", "1", "-o", "json"],
            "[\n  {\n    \"path\": \"cities/DC\",\n    \"fields\": {\n      \"name\": \"Washington\"\n    },\n    \"createTime\": \"TIME\",\n    \"updateTime\": \"TIME\"\n  }\n]\n"
        ),
        (["query", "nothing", "-o", "json"], "[]\n"), (["query", "nothing", "-o", "table"], ""), (["query", "nothing"], ""),
        (["query", "cities", "--select", "name", "--limit", "1", "-o", "pretty", "--color", "always"], "\u{1B}[1mcities/DC\u{1B}[0m\n  \u{1B}[36mname\u{1B}[0m: \u{1B}[32m\"Washington\"\u{1B}[0m\n"),
        (["count", "cities", "-o", "jsonl"], #"{"count":4}"# + "\n"), (["count", "cities", "--where", "population > 1000000", "-o", "pretty"], "2\n"),
        (["count", "cities", "--sum", "population", "--average", "population"], #"{"count":4,"sum(population)":14440000,"average(population)":3610000.0}"# + "\n"),
        (["count", "cities", "--sum", "population", "-o", "pretty"], "count                   4\nsum(population)  14440000\n"),
        (["count", "nothing", "--average", "x", "-o", "json"], "{\n  \"count\": 0,\n  \"average(x)\": null\n}\n"),
        (["collections"], "cities\n"), (["collections", "cities/SF"], "landmarks\n"), (["collections", "cities/none"], "landmarks\n"), (["collections", "cities/LA"], ""),
        (["collections", "cities/SF", "-o", "jsonl"], #"{"id":"landmarks","path":"cities/SF/landmarks"}"# + "\n"), (["collections", "-o", "table"], "id      path\ncities  cities\n"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `results have the requested form`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        for (arguments, output) in Self.outputs {
            let command = try place.run(arguments)
            #expect(command.exitCode == 0 && command.errors.isEmpty, "\(arguments): \(command.errors)")
            #expect(command.timeless == output, "\(arguments)")
        }
    }

    static let mistakes: [(arguments: [String], part: String)] = [
        (["query", "cities", "--where", "population > many"], "hearth query: condition population > many, column 14: a value must be JSON; enclose text in double quotes"),
        (["query", "cities", "--order-by", "name:up"], "asc or desc"), (["query", "cities", "--start-at", "1"], "--start-at 1"),
        (["query", "cities", "--order-by", "a", "--start-at", "1,2"], "there are 1 of these and 2 values"), (["query", "cities", "--limit=-1"], "between 0"),
        (["query", "cities", "--limit", "1", "--limit-to-last", "1"], "exclude each other"), (["query", "cities", "--limit-to-last", "1"], "requires --order-by"),
        (["query", "cities/SF"], "odd number"), (["query"], "Missing expected argument"), (["query", "cities", "--output", "xml"], "'pretty', 'json', 'jsonl' or 'table'"),
        (["query", "cities", "--where", "a in []"], "give at least one value"), (["query", "cities", "--where", "a != 1 and b != 2"], "at most one != or not-in"), (["count", "cities", "--sum", "a-b"], "back-ticks"),
        (["collections", "cities"], "even number"), (["query", "cities", "--where", "__name__ == 1"], "the id of a document"), (["query", "a/b", "--group"], "odd number"),
        (["watch", "cities/SF", "--limit", "1"], "is a document"), (["watch", "cities", "-o", "table"], "a table"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `mistakes end with 2, a reason, and no output`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill([("cities/SF", "{}")])
        for (arguments, part) in Self.mistakes {
            let command = try place.run(arguments)
            #expect(command.exitCode == 2, "\(arguments): \(command)")
            #expect(command.output.isEmpty && !command.errors.isEmpty, "\(arguments)")
            #expect(command.errors.contains(part), "\(arguments): \(command.errors)")
        }
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `a query is explained, and measured if asked to`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        try place.fill(Self.cities)
        let text = try place.run("explain", "cities", "--where", "population > 1000000", "--analyze")
        #expect(text.exitCode == 0, "\(text)")
        #expect(text.output.contains("2 results"), "\(text.output)")
        let object = try place.run("explain", "cities", "--where", "population > 1000000", "--output", "json").object()
        #expect(object["statistics"] == nil)
        #expect(object["plan"] is [Any])
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `a long result is streamed, and its reader may end early`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        // A dozen documents of some size are more than a pipe holds.
        let text = String(repeating: "Hearth ", count: 2_000)
        try place.fill((0..<12).map { ("long/\($0)", "{\"text\": \"\(text)\"}") })
        #expect(try place.run("query", "long").output.split(separator: "\n").count == 12)
        let pipe = try HearthCommand.shell("\"$0\" query long \"$@\" | head -n 1 | wc -l; echo ${PIPESTATUS[0]}", arguments: place.options)
        #expect(pipe.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == ["1", "0"], "\(pipe)")
        #expect(pipe.errors.isEmpty)
    }
}
