// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

@testable import FirestoreEngine
import TestSupport

/// What a database is put through while its disk fails: a fixed list of steps.
struct FaultScenario: Sendable {
    enum Step: Sendable {
        /// Commits that arrive together and share one transaction.
        case commit([[Write]])
        /// Copies the write-ahead log into the file.
        case checkpoint
        /// Closes the database and opens it again.
        case reopen
        /// Makes exactly these the indexes, and waits until they are built and what was dropped is cleared away.
        case index([IndexDefinition])
        /// Two hours later: the next commit cleans the change log.
        case later
    }

    let steps: [Step]

    /// What is written when everything is over, to see that writing still works.
    static let last: [Write] = [.set("a/1", ("n", .integer(99))), .set("new/1")]

    private static func text(_ count: Int) -> (String, Value) { ("text", .string(String(repeating: "x", count: count))) }

    /// Sets, updates and deletes in several collections, one commit at a time and together.
    static let writing = FaultScenario(steps: [
        .commit([[.set("a/1", ("n", .integer(1)), text(40)), .set("a/2", ("n", .integer(2)))]]),
        .commit([
            [.set("b/1", ("n", .integer(1)))],
            [.set("b/2", ("n", .integer(2)), precondition: .exists(true))],
            [.set("a/1/b/1", ("n", .integer(3))), .increment("a/1", "n"), .delete("a/2")],
        ]),
        .checkpoint,
        .commit([[.set("a/2", text(300)), .increment("b/1", "n", by: 5)]]),
    ])

    /// A document of several pages, and a log that is cleaned while writing continues.
    static let bigDocuments = FaultScenario(steps: [
        .commit([[.set("big/1", text(60_000))], [.set("big/2", text(9_000))]]),
        .later,
        .commit([[.set("big/1", text(50_000)), .delete("big/2")]]),
        .later,
        .commit([[.set("big/3", text(20_000))]]),
    ])

    /// Opening what an earlier run has closed.
    static let reopening = FaultScenario(steps: [
        .commit([[.set("a/1", ("n", .integer(1)), text(3_000))]]),
        .reopen,
        .commit([[.increment("a/1", "n")], [.set("c/1", text(10))]]),
        .checkpoint,
        .commit([[.delete("a/1")]]),
        .reopen,
        .commit([[.set("a/1", ("n", .integer(7)))]]),
    ])
}

extension FaultScenario {
    private static func index(
        _ collectionID: String, _ scope: IndexDefinition.Scope = .collection, _ fields: IndexDefinition.Field...
    ) -> IndexDefinition {
        IndexDefinition(collectionID: collectionID, scope: scope, fields: fields)
    }

    private static let byNumber = IndexDefinition.Field(FieldPathSegments("n"))
    private static let downByNumber = IndexDefinition.Field(FieldPathSegments("n"), .descending)
    private static let byTag = IndexDefinition.Field(FieldPathSegments("tags"), .arrayContains)

    private static func tags(_ tags: String...) -> (String, Value) { ("tags", .array(tags.map { .string($0) })) }

    /// Indexes made, maintained, dropped and made again; a build takes several steps.
    static let indexing = FaultScenario(steps: [
        .commit([[.set("a/1", ("n", .integer(1)), tags("x", "y")), .set("a/2", ("n", .integer(2))), .set("b/1", ("n", .integer(3)))]]),
        .index([index("a", .collection, byNumber), index("a", .collection, byTag, byNumber), index("b", .collectionGroup, downByNumber)]),
        .commit([
            [.increment("a/1", "n", by: 5), .delete("a/2"), .set("a/3", ("n", .integer(2)), tags("x"))],
            [.set("a/1/b/1", ("n", .integer(1))), .set("b/1", ("n", .integer(2)))],
        ]),
        .index([index("a", .collection, byTag, byNumber)]),
        .commit([[.set("a/3", tags("y")), .delete("b/1")]]),
        .reopen,
        .index([index("a", .collection, byNumber), index("b", .collectionGroup, downByNumber)]),
        .commit([[.set("a/4", ("n", .integer(4)))]]),
    ])

    /// Queries that the indexes above serve when they exist, and the expected results.
    static let queries: [(query: StructuredQuery, holds: @Sendable (DocumentKey, FieldMap) -> Bool)] = [
        (
            StructuredQuery.collection("a").filter("n", .greaterThan, .integer(1)).ordered(by: "n"),
            { key, fields in key.collection.path == "a" && number(fields) > 1 }
        ),
        (
            StructuredQuery.group("b").filter("n", .greaterThanOrEqual, .integer(1)).ordered(by: "n", .descending),
            { key, fields in key.collection.id == "b" && number(fields) >= 1 }
        ),
        (
            StructuredQuery.collection("a").filter("tags", .arrayContains, .string("x")),
            { key, fields in
                guard key.collection.path == "a", case .array(let tags)? = fields["tags"] else { return false }
                return tags.contains { if case .string("x") = $0 { true } else { false } }
            }
        ),
    ]

    private static func number(_ fields: FieldMap) -> Int64 { if case .integer(let number)? = fields["n"] { number } else { .min } }
}

/// What must stand in the database: the simplest thing that could be right.
struct FaultModel: Equatable {
    private(set) var documents: [DocumentKey: Document] = [:]

    /// Applies a commit as a whole; false if it must be rejected for what it says.
    mutating func apply(_ commit: [Write]) -> Bool {
        var changed = documents
        for write in commit {
            let times = CommitTimes(commitTime: DocumentVersion(microseconds: 1))
            guard let applied = try? WriteApplication.apply(write, to: changed[write.key], at: times, in: testDatabase) else { return false }
            changed[write.key] = applied.document
        }
        documents = changed
        return true
    }

    /// What a query must return.
    func answer(_ holds: (DocumentKey, FieldMap) -> Bool) -> [DocumentKey: FieldBytes] {
        contents.filter { key, fields in (try? fields.map).map { holds(key, $0) } ?? false }
    }

    /// By path, without times, which depend on what was rejected before.
    var contents: [DocumentKey: FieldBytes] { documents.mapValues(\.fields) }
}

extension FaultScenario {
    /// The indexes there are in the end.
    var lastIndexes: [IndexDefinition]? {
        steps.reversed().lazy.compactMap { step in if case .index(let indexes) = step { indexes } else { nil } }.first
    }

    /// Every document the scenario ever touches.
    var keys: [DocumentKey] {
        let writes = steps.flatMap { step -> [Write] in
            if case .commit(let commits) = step { commits.flatMap { $0 } } else { [] }
        }
        return Set((writes + Self.last).map(\.key)).sorted()
    }
}
