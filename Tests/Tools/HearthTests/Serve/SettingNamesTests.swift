// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

struct SettingNamesTests {
    @Test(arguments: [
        ("prot", "did you mean port?"), ("HOST", "did you mean host?"), ("log_level", "did you mean log-level?"), ("max-stream", "did you mean max-streams?"), ("tls", "did you mean tls-cert?"),
        ("", "lists the settings"), ("allow-hosts", "did you mean allow-host?"), (String(repeating: "port", count: 1_000), "lists the settings"), ("é", "lists the settings"),
    ])
    func `a member that is misspelt is rejected with the nearest name`(name: String, advice: String) {
        let error = #expect(throws: (any Error).self) { try SettingNames.check(members: ["port", name], of: "hearth.json") }
        #expect("\(error.map { "\($0)" } ?? "")".contains(advice))
    }

    @Test func `a variable that is misspelt is rejected, others are ignored`() throws {
        try SettingNames.check(environment: ["HEARTH_PORT": "1", "HEARTH_CONFIG": "a", "HEARTH_DATABASE": "b", "PATH": "c", "HEARTHSTONE": "d", "MY_HEARTH_PROT": "e"])
        for (name, advice) in [("HEARTH_PROT", "did you mean HEARTH_PORT?"), ("HEARTH_DATABSE", "did you mean HEARTH_DATABASE?"),
            ("HEARTH_", "lists the settings"), ("HEARTH_port", "did you mean HEARTH_PORT?"), ("HEARTH_FOO", "lists the settings")] {
            let error = #expect(throws: (any Error).self) { try SettingNames.check(environment: [name: "1"]) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("\(name) is not a variable of Hearth") && "\(error.map { "\($0)" } ?? "")".contains(advice), "\(name)")
        }
    }

    @Test func `variables of Kubernetes for a service named hearth are not settings`() throws {
        let names = ["HEARTH_SERVICE_HOST", "HEARTH_SERVICE_PORT", "HEARTH_SERVICE_PORT_GRPC", "HEARTH_PORT_8080_TCP", "HEARTH_PORT_8080_TCP_ADDR", "HEARTH_PORT_8080_TCP_PROTO"]
        try SettingNames.check(environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
        #expect(throws: (any Error).self) { try SettingNames.check(environment: ["HEARTH_PORT_TCP": "x"]) }
    }

    @Test func `every setting is in the table of the documents, with its variable and its default`() throws {
        let page = try String(contentsOf: repositoryRoot.appendingPathComponent("docs/operations/running-a-server.md"), encoding: .utf8)
        let table = try #require(page.firstMatch(of: /\| Option \| Environment [^\n]*\n((?s).*?)\n\n/)).1
        let values = Dictionary(ServerSettings.all.map { ($0.name, $0.standardJSON) }) { $1 }
        // For tests: where keys come from instead of Google.
        var missing = Set(ServerSettings.all.map(\.name)).subtracting(["firebase-keys-url"])
        for row in table.split(separator: "\n").dropFirst() {
            let cells = row.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: true)
            let names = cells[0].matches(of: /`--([a-z-]+)/).map { String($0.1) }
            #expect(cells[1].matches(of: /HEARTH_[A-Z_]+/).map { String($0.output) } == names.map { SettingNames.variable($0) }, "\(row)")
            for name in names {
                #expect(missing.remove(name) != nil, "\(name)")
                let text: String? = switch values[name] {
                case .string(let text), .number(let text): text
                default: nil
                }
                if let text { #expect(cells[2].contains("`\(text)`"), "\(row)") }
            }
        }
        #expect(missing.isEmpty)
    }

    @Test func `the environment and the file give every value that the command line can`() throws {
        let folder = try ScratchFolder()
        for text in ["", "-", "--port", "a b", "=", "ü"] {
            #expect(try SettingValues([:], environment: ["HEARTH_HOST": text])[ServerSettings.host] == text)
            #expect(try SettingValues([:], environment: ["HEARTH_ISSUER": text])[SecurityGuest.issuer] == (text.isEmpty ? [] : [text]))
            let file = try folder.file("hearth.json", JSON.object([("allow-host", .array([.string(text)]))]).text())
            #expect(try SettingValues([:], file: file, environment: [:])[ServerSettings.allowHost] == [text])
        }
        #expect(try SettingValues([:], environment: ["HEARTH_PORT": "-1", "HEARTH_STRICT": "true"])[ServerSettings.port] == -1)
        let given = try ServeCommand.parse(["--port", "1"]).given
        #expect(try SettingValues(given, environment: ["HEARTH_PORT": "2", "HEARTH_IN_MEMORY": "false"])[ServerSettings.port] == 1)
    }

    @Test func `names of options are those that the command line knows`() throws {
        let help = ServeCommand.helpMessage(includeHidden: true, columns: 200)
        for setting in ServerSettings.all { #expect(help.contains("--\(setting.name) ") || help.contains("--\(setting.name)\n"), "\(setting.name)") }
        #expect(ServerSettings.all.count > 40)
    }

    @Test func `no two settings have one name, and the help of development mode names those that end it`() throws {
        #expect(Set(ServerSettings.all.map(\.name)).count == ServerSettings.all.count)
        let help = SecurityGuest.development.help
        let listed = try #require(help.split(separator: "none of").last).matches(of: /--([a-z-]+)/).map { String($0.1) }
        #expect(Set(listed) == Set(ServerSettings.all.filter(\.endsDevelopment).map(\.name)))
    }

    /// Tests and scripts start servers with the variables that they are started with.
    @Test func `every variable that anything in the repository reads is known`() throws {
        let root = repositoryRoot
        let known = SettingNames.variables
        let texts: Set = ["swift", "py", "sh", "yml", "yaml", "service", ""]
        for folder in ["Sources", "Tests", "Benchmarks", "Examples", "dev", "deploy", "Package.swift", "Makefile", "Dockerfile"] {
            let place = root.appendingPathComponent(folder)
            let below = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String }.map { place.appendingPathComponent($0) } ?? []
            for file in below + [place] where texts.contains(file.pathExtension) && !file.path.contains("/.build/") && file.lastPathComponent != "SettingNamesTests.swift" {
                guard !file.path.hasSuffix("Settings/SettingNames.swift"), !file.path.hasSuffix("ServeTests.swift"), let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for match in text.matches(of: /\bHEARTH_[A-Z_]*[A-Z]/) { #expect(known.contains(String(match.output)), "\(match.output) in \(file.path)") }
            }
        }
    }
}
