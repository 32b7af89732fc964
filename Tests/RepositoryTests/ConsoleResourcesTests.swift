// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The console in the program is the one in the repository.
struct ConsoleResourcesTests {
    private static let generated = "Sources/FirestoreServer/Console/Generated/ConsoleResources.swift"

    @Test func `the program contains every file of the console as it is`() throws {
        let files = Repository.files(in: ["Console"], withExtensions: ["html", "js", "css", "svg"])
        #expect(!files.isEmpty)
        let text = Data(try Repository.File(path: Self.generated).bytes)
        for file in files {
            let name = file.path.dropFirst("Console/".count)
            let content = try "\"\"\"\n\(file.text)\n\"\"\"#"
            #expect(text.range(of: Data("ConsoleResource(\"\(name)\", tag: ".utf8)) != nil && text.range(of: Data(content.utf8)) != nil, "\(file): run make console-resources")
        }
        let count = try Repository.File(path: Self.generated).lines.count { $0.hasPrefix("    private static let file") }
        #expect(count == files.count, "run make console-resources")
    }

    @Test func `the guide shows the code of the example, and its documents`() throws {
        let lines = try Repository.File(path: "Console/guide/sources.js").lines
        // Each is a line: "NAME": JSON,
        var shown: [String: Data] = [:]
        for line in lines {
            guard let match = line.wholeMatch(of: #/ {2}"([^"]+)": (.+),/#) else { continue }
            shown[String(match.1)] = Data(match.2.utf8)
        }
        let sections = Repository.files(in: ["Examples/Guide/Sources/Guide/Sections"], withExtensions: ["swift"])
        for file in sections {
            let data = try #require(shown.removeValue(forKey: (file.path as NSString).lastPathComponent), "\(file): run make console-resources")
            let text = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? String
            #expect(try text == file.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init), "\(file): run make console-resources")
        }
        let samples = try Data(Repository.File(path: "Examples/Guide/Sources/GuideLive/Resources/samples.json").bytes)
        let documents = try #require(JSONSerialization.jsonObject(with: samples) as? [String: NSDictionary])
        #expect(sections.count > 10 && Set(shown.keys) == Set(documents.keys), "run make console-resources")
        for (path, fields) in documents {
            #expect(try fields == JSONSerialization.jsonObject(with: #require(shown[path])) as? NSDictionary, "\(path): run make console-resources")
        }
    }
}
