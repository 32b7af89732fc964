// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// get, set, update, add, delete on a file and on a server: the same words, the same answers.
@Suite(.waitingForProcesses) struct DocumentCommandTests {
    struct Step: Sendable {
        let arguments: [String]
        var input = ""
        /// With TIME for every time.
        var output: String?
        var exitCode: Int32 = 0
        /// A part of what goes to standard error.
        var errors: String?

        init(_ arguments: String..., input: String = "", output: String? = nil, exitCode: Int32 = 0, errors: String? = nil) {
            self.arguments = arguments
            self.input = input
            self.output = output
            self.exitCode = exitCode
            self.errors = errors
        }
    }

    private static let written = #"","updateTime":"TIME"}"# + "\n"
    private static let times = #","createTime":"TIME","updateTime":"TIME"}"# + "\n"

    static let steps: [Step] = [
        // set
        Step("set", "cities/SF", #"{"name": "San Francisco", "population": 860000, "area": {"land": 121.5}}"#, output: #"{"path":"cities/SF"# + written),
        Step("get", "cities/SF", output: #"{"path":"cities/SF","fields":{"area":{"land":121.5},"name":"San Francisco","population":860000}"# + times),
        Step("set", "cities/SF", #"{"area": {"water": 479.2}, "state": "CA"}"#, "--merge", output: #"{"path":"cities/SF"# + written),
        Step("get", "cities/SF", "-o", "pretty", output: """
            cities/SF
              area: {"land": 121.5, "water": 479.2}
              name: "San Francisco"
              population: 860000
              state: "CA"
              created TIME, updated TIME

            """),
        Step("set", "cities/SF", #"{"area": {"land": 1}, "state": "XX", "name": "SF"}"#, "--merge-fields", "area,name"),
        Step("get", "cities/SF", output: #"{"path":"cities/SF","fields":{"area":{"land":1},"name":"SF","population":860000,"state":"CA"}"# + times),
        Step("set", "cities/LA", "-", input: "{\n  \"name\": \"Los Angeles\"\n}\n", output: #"{"path":"cities/LA"# + written),
        Step("set", "cities/LA", #"{"visits": 1}"#, "--increment", "visits=2", "--server-timestamp", "at",
            output: #"{"path":"cities/LA","updateTime":"TIME","transformed":{"at":{"$timestamp":"TIME"},"visits":3}}"# + "\n"),
        Step("set", "cities/LA", "{}", "--if-missing", exitCode: 1, errors: "hearth set: "),
        Step("set", "cities/XX", "{}", "--if-exists", exitCode: 1, errors: "cities/XX"),
        Step("set", "cities/LA", #"{"name": "Los Angeles"}"#, "--if-updated-at", "2001-01-01T00:00:00Z", exitCode: 1, errors: "hearth set: "),
        Step("set", "cities/LA", #"{"name": "Los Angeles"}"#, "--if-exists", "-o", "pretty", output: "cities/LA set TIME\n"),
        Step("set", "cities", "{}", exitCode: 2, errors: "even number of segments"),
        Step("set", "cities/LA", "{\"a\": [1,\n x]}", exitCode: 2, errors: "JSON, line 2, column 2, field a[1]: a value is expected; enclose text in double quotes"),
        Step("set", "cities/LA", "{}", "--merge-fields", "a", exitCode: 2, errors: "listed in --merge-fields"),
        Step("set", "cities/LA", "{}", "--merge", "--merge-fields", "a", exitCode: 2, errors: "exclude each other"),
        // get
        Step("get", "cities/SF", "cities/XX", "cities/LA", "-o", "table",
            output: "id  area         name         population  state\nSF  {\"land\": 1}  SF               860000  CA\nLA               Los Angeles\n", exitCode: 1,
            errors: "hearth get: cities/XX: there is no such document"),
        Step("get", "cities/LA", "--output", "json", output: "{\n  \"path\": \"cities/LA\",\n  \"fields\": {\n    \"name\": \"Los Angeles\"\n  },\n  \"createTime\": \"TIME\",\n  \"updateTime\": \"TIME\"\n}\n"),
        Step("get", "cities/XX", "--output", "json", output: "", exitCode: 1),
        Step("get", "cities", exitCode: 2, errors: "hearth get: cities: a document path has an even number"),
        // update
        Step("update", "cities/SF", "population=870000", "area.water=479.2", "`first name`=\"x\"", output: #"{"path":"cities/SF"# + written),
        Step("update", "cities/SF", #"{"area.land": null, "tags": ["a"]}"#, "--delete-field", "`first name`,state"),
        Step("get", "cities/SF", output: #"{"path":"cities/SF","fields":{"area":{"land":null,"water":479.2},"name":"SF","population":870000,"tags":["a"]}"# + times),
        Step("update", "cities/SF", "--increment", "population=0.5", "--append", #"tags=["a","b"]"#, "--maximum", "high=5",
            output: #"{"path":"cities/SF","updateTime":"TIME","transformed":{"high":5,"population":870000.5}}"# + "\n"),
        Step("update", "cities/SF", "--remove", #"tags="a""#, "-o", "pretty", output: "cities/SF updated TIME\n"),
        Step("get", "cities/SF", output: #"{"path":"cities/SF","fields":{"area":{"land":null,"water":479.2},"high":5,"name":"SF","population":870000.5,"tags":["b"]}"# + times),
        Step("update", "cities/XX", "a=1", exitCode: 1, errors: "hearth update: "),
        Step("update", "cities/SF", exitCode: 2, errors: "nothing to change"),
        Step("update", "cities/SF", "a", exitCode: 2, errors: "field=value"),
        Step("update", "cities/SF", "a=SF", exitCode: 2, errors: "value of a, line 1, column 1"),
        Step("update", "cities/SF", "a=1", "a.b=2", exitCode: 2, errors: "a and a.b"),
        Step("update", "cities/SF", "a-b=1", exitCode: 2, errors: "back-ticks"),
        Step("update", "cities/SF", "--increment", "a=\"1\"", exitCode: 2, errors: "a number"),
        // add
        Step("add", "cities/SF", "{}", exitCode: 2, errors: "odd number"),
        Step("add", "logs", #"{"at": {"$timestamp": "2026-11-21T09:30:00Z"}}"#),
        // delete
        Step("delete", "cities/LA", "--if-updated-at", "2001-01-01T00:00:00Z", exitCode: 1, errors: "hearth delete: "),
        Step("delete", "cities/XX", output: #"{"path":"cities/XX","commitTime":"TIME"}"# + "\n"),
        Step("delete", "cities/XX", "--if-exists", exitCode: 1, errors: "hearth delete: "),
        Step("delete", "cities/LA", "cities/SF", "--if-exists", "-o", "pretty", output: "cities/LA deleted TIME\ncities/SF deleted TIME\n"),
        Step("get", "cities/LA", exitCode: 1),
        Step("delete", "cities", exitCode: 2, errors: "add --recursive to delete its documents"),
    ]

    @Test(arguments: CommandPlace.Kind.allCases)
    func `documents are written, read, changed and deleted`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        for step in Self.steps {
            let command = try place.run(step.arguments, input: step.input)
            #expect(command.exitCode == step.exitCode, "\(step.arguments): \(command.errors)")
            if let output = step.output, step.exitCode != 2 { #expect(command.timeless == output, "\(step.arguments)") }
            if step.exitCode == 2 { #expect(command.output.isEmpty, "\(step.arguments)") }
            if let errors = step.errors { #expect(command.errors.contains(errors), "\(step.arguments): \(command.errors)") }
            if step.exitCode == 0 { #expect(command.errors.isEmpty, "\(step.arguments): \(command.errors)") }
        }
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `add prints the id and nothing else, or an object`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let id = try place.run("add", "cities", #"{"name": "Oakland"}"#)
        #expect(id.output.wholeMatch(of: /[A-Za-z0-9]{20}\n/) != nil, "\(id)")
        let path = "cities/" + id.output.dropLast()
        #expect(try place.run("get", path).output.contains("Oakland"))
        let object = try place.run("add", "cities/SF/landmarks", "-", "--server-timestamp", "at", "--output", "json", input: "{}").object()
        #expect((object["path"] as? String)?.hasPrefix("cities/SF/landmarks/") == true)
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `every type comes back as it went in`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let fields = #"{"$odd":{"$map":{"$x":1}},"bytes":{"$bytes":"AAEC"},"double":1.0,"integer":-9223372036854775808,"list":[null,true,{"a":-0.0}],"#
            + #""nan":{"$double":"NaN"},"point":{"$geopoint":{"latitude":1.5,"longitude":-2.0}},"ref":{"$reference":"cities/SF"},"#
            + #""text":"é\u0001\"","time":{"$timestamp":"1969-12-31T23:59:59.000001Z"},"vector":{"$vector":[0.5,1.0]}}"#
        #expect(try place.run("set", "types/all", fields).exitCode == 0)
        let lines = try place.run("get", "types/all")
        #expect(lines.output.contains("\"fields\":" + fields + ","), "\(lines)")
    }

    @Test(arguments: CommandPlace.Kind.allCases)
    func `a whole tree goes, and nothing beside it`(kind: CommandPlace.Kind) throws {
        let place = try CommandPlace(kind)
        let paths = ["cities/SF", "cities/SF/landmarks/bridge", "cities/SF/landmarks/bridge/photos/1", "cities/missing/landmarks/x", "cities2/a", "citie/a", "cities/LA/x/y"]
        try place.fill(paths.map { ($0, "{}") })
        let collection = try place.run("delete", "cities")
        #expect(collection.exitCode == 2 && collection.errors.hasPrefix("hearth delete: cities: this is a collection; add --recursive"), "\(collection)")
        // A precondition that does not hold is no reason to create the document.
        let missing = try place.run("delete", "cities/missing", "--if-exists")
        #expect(missing.exitCode == 1 && missing.errors.contains("No document to update") && !missing.errors.contains("create it first"), "\(missing)")
        // Not a terminal, so no question can be asked.
        let refused = try place.run("delete", "--recursive", "cities/SF")
        #expect(refused.exitCode == 2 && refused.errors.hasPrefix("hearth delete: --recursive: ") && refused.errors.contains("add --yes"), "\(refused)")
        #expect(try place.run("count", "cities").output == "1\n")
        let document = try place.run("delete", "--recursive", "--yes", "cities/SF")
        #expect(document.exitCode == 0, "\(document)")
        #expect(document.output == #"{"path":"cities/SF","deleted":3}"# + "\n")
        let tree = try place.run("delete", "cities", "-y", "--recursive", "-o", "pretty")
        #expect(tree.output == "cities deleted, 2 documents\n", "\(tree)")
        #expect(try place.run("collections").output == "citie\ncities2\n")
        #expect(try place.run("delete", "--recursive", "a", "--if-exists").exitCode == 2)
        #expect(try place.run("delete", "--recursive", "-y", "cities", "-o", "jsonl").output == #"{"path":"cities","deleted":0}"# + "\n")
    }
}
