// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The console in the program is the one in the repository.
struct ConsoleResourcesTests {
    private static let generated = "Sources/Server/FirestoreConsole/Generated/ConsoleResources.swift"

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
        // Each is a line: "NAME": JSON, (the last document without a comma: it is read as JSON).
        var shown: [String: Data] = [:]
        for line in lines {
            guard let match = line.wholeMatch(of: #/ {2}"([^"]+)": (.+?),?/#) else { continue }
            shown[String(match.1)] = Data(match.2.utf8)
        }
        let sections = Repository.files(in: ["Examples/Guide/Sources/Guide/Sections"], withExtensions: ["swift"])
        let advice = "run make console-resources"
        for file in sections {
            let known = shown.removeValue(forKey: (file.path as NSString).lastPathComponent)
            let data = try #require(known, "\(file): \(advice)")
            let text = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? String
            // All but the line of the license.
            let code = try file.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
            #expect(text == code, "\(file): \(advice)")
        }
        let samples = try Data(Repository.File(path: "Examples/Guide/Sources/GuideLive/Resources/samples.json").bytes)
        let documents = try #require(try JSONSerialization.jsonObject(with: samples) as? [String: NSDictionary])
        #expect(sections.count > 10 && Set(shown.keys) == Set(documents.keys), "\(advice)")
        for (path, fields) in documents {
            let data = try #require(shown[path])
            let sample = try JSONSerialization.jsonObject(with: data) as? NSDictionary
            #expect(fields == sample, "\(path): \(advice)")
        }
    }
}
