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
}
