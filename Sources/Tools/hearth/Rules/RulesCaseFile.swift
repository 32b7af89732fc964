// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A file of cases for `hearth rules test`: a JSON object that docs/reference/cli.md describes.
struct RulesCaseFile {
    let cases: [RulesCase]

    private static let maximumBytes = 64 << 20

    init(reading path: String) throws(FirestoreError) {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: Self.maximumBytes + 1) ?? Data() else {
            throw FirestoreError(.notFound, "the file with the cases does not exist or cannot be read", at: path)
        }
        guard data.count <= Self.maximumBytes else { throw .invalidArgument("the file is larger than 64 MiB; split it", at: path) }
        do throws(FirestoreError) {
            try self.init([UInt8](data), name: path)
        } catch {
            throw error.inArgument(path)
        }
    }

    init(_ text: [UInt8], name: String) throws(FirestoreError) {
        let root = JSONNode(try JSON(text))
        try root.allow(only: "project", "database", "time", "documents", "cases")
        let database = DatabaseID(
            projectID: try root.optional("project")?.string() ?? "demo-project",
            databaseID: try root.optional("database")?.string() ?? DatabaseID.defaultDatabase)
        let time = try root.optional("time").map { node throws(FirestoreError) in try Self.time(node) }
        var documents: RulesCaseReader.Documents = [:]
        if let node = try root.optional("documents") { documents = try RulesCaseReader.documents(node, in: database) }
        let reader = RulesCaseReader(file: name, database: database, time: time, documents: documents)
        var cases: [RulesCase] = []
        for node in try root.required("cases").elements() { cases.append(try reader.testCase(node, number: cases.count + 1)) }
        guard !cases.isEmpty else { throw .invalidArgument("\"cases\" is empty: the file tests nothing") }
        self.cases = cases
    }

    static func time(_ node: JSONNode) throws(FirestoreError) -> TimestampValue {
        guard let time = TimestampValue(text: try node.string()) else {
            throw node.failure("a time is expected, as in 2026-11-21T09:30:00Z")
        }
        return time
    }
}
