// SPDX-License-Identifier: Apache-2.0
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

    /// Tests and scripts start servers with the variables that they are started with.
    @Test func `every variable that anything in the repository reads is known`() throws {
        let root = repositoryRoot
        let known = SettingNames.variables
        let texts: Set = ["swift", "py", "sh", "yml", "yaml", "service", ""]
        for folder in ["Sources", "Tests", "Benchmarks", "Examples", "dev", "deploy", "Package.swift", "Makefile", "Dockerfile"] {
            let place = root.appendingPathComponent(folder)
            let below = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String }.map { place.appendingPathComponent($0) } ?? []
            for file in below + [place] where texts.contains(file.pathExtension) && !file.path.contains("/.build/") && file.lastPathComponent != "SettingNamesTests.swift" {
                guard !file.path.hasSuffix("Serve/SettingNames.swift"), !file.path.hasSuffix("ServeTests.swift"), let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                for match in text.matches(of: /\bHEARTH_[A-Z_]*[A-Z]/) { #expect(known.contains(String(match.output)), "\(match.output) in \(file.path)") }
            }
        }
    }
}
