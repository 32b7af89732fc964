// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore
import Foundation
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// What names metrics outside of the program: pages, the dashboard, alert rules (OP-94).
struct MetricCatalogTests {
    private static let suffixes = ["_bucket", "_sum", "_count"]

    /// The names of metrics in a text; those of a histogram's samples as its own.
    private func names(in text: String) -> Set<String> {
        Set(
            text.matches(of: /\b(hearth|process)_[a-z_]+/).map { match -> String in
                let name = String(match.output.0)
                guard MetricCatalog.help[name] == nil else { return name }
                return Self.suffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
            })
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: repositoryRoot.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: ["deploy/grafana-dashboard.json", "deploy/prometheus-alerts.yaml"])
    func `every metric that a file of deploy names exists`(path: String) throws {
        let names = names(in: try text(of: path))
        #expect(names.count > 3)
        #expect(names.subtracting(MetricCatalog.help.keys) == [])
    }

    @Test func `the dashboard is JSON, and each panel has a query`() throws {
        let root = try JSONNode(JSON(Array(try text(of: "deploy/grafana-dashboard.json").utf8)))
        let panels = try root.required("panels").elements()
        #expect(panels.count > 10)
        for panel in panels where try panel.required("type").string() != "row" {
            #expect(try !panel.required("targets").elements().isEmpty)
        }
    }

    @Test func `the table of the documents has every metric`() throws {
        let page = try text(of: "docs/operations/watching.md") + text(of: "docs/operations/backups.md")
        let documented = Set(
            page.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { names(in: String($0.split(separator: "|")[0])) })
        #expect(Set(MetricCatalog.help.keys).subtracting(documented) == [])
        #expect(documented.filter { $0.hasPrefix("hearth_") }.subtracting(MetricCatalog.help.keys) == [])
    }

    @Test func `every metric of a server says what it is`() async throws {
        let registry = PrometheusRegistry()
        let metrics = ServerMetrics(factory: registry)
        let server = ServerFixture()
        try await server.commit(.set("a/b"))
        let text = registry.text + metrics.byDatabase.text(of: await server.service.databases.observed()) + ProcessFigures.text
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE") {
            let name = String(line.split(separator: " ")[2])
            #expect(text.contains("# HELP \(name) "), "\(name)")
        }
    }
}
