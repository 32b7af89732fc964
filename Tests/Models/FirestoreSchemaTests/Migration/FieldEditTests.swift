// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSchema

/// The edits of `hearth migrate`: MP-69.
@Suite struct FieldEditTests {
    private static func path(_ text: String) -> FieldPathSegments { FieldPathSegments(text.split(separator: ".").map(String.init)) }
    private static func fields(_ fields: (String, Value)...) -> FieldMap { FieldMap(fields) }

    static let table: [(edit: FieldEdit, before: FieldMap, after: FieldMap?)] = [
        (.move(path("a"), to: path("b")), fields(("a", .integer(1))), fields(("b", .integer(1)))),
        (.move(path("a"), to: path("b")), fields(("c", .integer(1))), fields(("c", .integer(1)))),
        (.move(path("a"), to: path("b")), fields(("a", .integer(1)), ("b", .null)), nil),
        (.move(path("a"), to: path("m.a")), fields(("a", .integer(1))), fields(("m", .map(fields(("a", .integer(1))))))),
        (.move(path("m.a"), to: path("a")), fields(("m", .map(fields(("a", .integer(1)))))), fields(("a", .integer(1)), ("m", .map(fields())))),
        (.move(path("a"), to: path("a.b")), fields(("a", .integer(1))), fields(("a", .map(fields(("b", .integer(1))))))),
        (.move(path("a"), to: path("m.a")), fields(("a", .integer(1)), ("m", .string("x"))), nil),
        (.setDefault(path("a"), ValueBytes(.integer(2))), fields(), fields(("a", .integer(2)))),
        (.setDefault(path("a"), ValueBytes(.integer(2))), fields(("a", .null)), fields(("a", .null))),
        (.setDefault(path("m.a"), ValueBytes(.integer(2))), fields(("m", .integer(1))), nil),
        (.remove(path("m.a")), fields(("m", .map(fields(("a", .null), ("b", .null))))), fields(("m", .map(fields(("b", .null)))))),
        (.remove(path("a")), fields(("b", .null)), fields(("b", .null))),
        (.convert(path("a"), to: .integer), fields(("a", .string("12"))), fields(("a", .integer(12)))),
        (.convert(path("a"), to: .integer), fields(("a", .null)), fields(("a", .null))),
        (.convert(path("a"), to: .integer), fields(("a", .string("x"))), nil),
        (.setVersion(path("v"), 3), fields(("v", .integer(1))), fields(("v", .integer(3)))),
    ]

    @Test(arguments: table.indices) func `an edit changes the fields, once, or is rejected`(row: Int) throws {
        let (edit, before, after) = Self.table[row]
        var fields = before
        guard let after else {
            return expectImmediateError(.failedPrecondition, mentioning: "field") { try edit.apply(to: &fields) }
        }
        try edit.apply(to: &fields)
        #expect(FieldBytes(fields) == FieldBytes(after))
        if case .move(let source, let destination) = edit, source.isPrefix(of: destination) { return }
        try edit.apply(to: &fields)
        #expect(FieldBytes(fields) == FieldBytes(after))
    }

    @Test func `a plan skips documents of its version, and reports which edits had an effect`() throws {
        let plan = MigrationPlan(edits: [.setDefault(Self.path("a"), ValueBytes(.integer(1))), .remove(Self.path("b")), .setVersion(Self.path("v"), 2)])
        func steps(_ fields: (String, Value)...) throws -> [Int]? {
            let document = Document(
                key: DocumentKey(trusted: "c/a"), createTime: .none, updateTime: .none, fields: FieldBytes(FieldMap(fields)))
            return try plan.migrate(document)?.steps
        }
        #expect(try steps() == [0, 2])
        #expect(try steps(("a", .null), ("b", .null), ("v", .integer(1))) == [1, 2])
        #expect(try steps(("v", .integer(2)), ("b", .null)) == nil)
        #expect(try steps(("v", .integer(5)), ("b", .null)) == nil)
        #expect(plan.steps == ["default a", "remove b", "set-version 2"])
        // Another default is another plan.
        let other = MigrationPlan(edits: [.setDefault(Self.path("a"), ValueBytes(.integer(2))), .remove(Self.path("b")), .setVersion(Self.path("v"), 2)])
        #expect(plan.fingerprint != other.fingerprint)
    }

    @Test func `the rate grows by half every five minutes`() {
        #expect(MigrationRate.growing.interval(writes: 500, after: .zero) == .seconds(1))
        #expect(MigrationRate.growing.interval(writes: 750, after: .seconds(301)) == .seconds(1))
        #expect(MigrationRate.growing.interval(writes: 1_125, after: .seconds(600)) == .seconds(1))
        #expect(MigrationRate.perSecond(10).interval(writes: 5, after: .zero) == .seconds(0.5))
        #expect(MigrationRate.unlimited.interval(writes: 500, after: .zero) == .zero)
        #expect(MigrationRate.perSecond(1_000).writesPerCommit == 100 && MigrationRate.perSecond(0.1).writesPerCommit == 1)
        #expect(MigrationRate.growing.writesPerCommit == 500)
    }
}
