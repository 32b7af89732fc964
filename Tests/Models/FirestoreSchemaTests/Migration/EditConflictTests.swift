// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSchema

/// Which edits can be made together: MP-69.
@Suite struct EditConflictTests {
    private static func path(_ text: String) -> FieldPathSegments { FieldPathSegments(text.split(separator: ".").map(String.init)) }
    private static func move(_ source: String, _ destination: String) -> FieldEdit { .move(path(source), to: path(destination)) }
    private static func remove(_ field: String) -> FieldEdit { .remove(path(field)) }
    private static func convert(_ field: String, _ type: FieldConversion) -> FieldEdit { .convert(path(field), to: type) }
    private static func fill(_ field: String, _ value: Value) -> FieldEdit { .setDefault(path(field), ValueBytes(value)) }

    static let accepted: [[FieldEdit]] = [
        [move("a", "c"), move("b", "c")], [move("a", "b"), convert("b", .integer)], [move("a", "b"), convert("b.c", .integer)],
        [move("a", "b"), fill("b", .integer(1))], [move("m.a", "b"), move("m.b", "a"), remove("m")], [convert("n", .integer), fill("n", .integer(1))],
        [convert("n", .integer), fill("n", .null)], [move("m.a", "m.b"), remove("m.c"), convert("m.d", .string), fill("m.e", .null), .setVersion(path("v"), 1)],
        [move("a", "m.x"), fill("m", .map(FieldMap()))],
    ]

    static let refused: [(edits: [FieldEdit], field: String)] = [
        ([move("x", "y"), fill("x", .integer(9))], "x"), ([move("b", "c"), move("a", "b")], "b"), ([move("a", "b"), move("b", "c")], "b"),
        ([move("a", "b"), move("b", "a")], "a"), ([move("a", "b"), move("a", "c")], "a"), ([move("a", "a.b")], "a"), ([move("a.b", "a")], "a.b"),
        ([move("a", "m"), move("b", "m.x")], "m"), ([move("a", "b"), remove("b")], "b"), ([move("a", "b"), remove("a")], "a"),
        ([move("m.a", "m.b"), remove("m")], "m"), ([move("a", "b"), convert("a", .integer)], "a"), ([move("a", "m.x"), convert("m", .integer)], "m"),
        ([move("m.a", "b"), fill("m", .map(FieldMap()))], "m"), ([remove("a"), remove("a")], "a"), ([remove("m"), remove("m.a")], "m.a"),
        ([remove("a"), fill("a", .null)], "a"), ([remove("a"), convert("a", .integer)], "a"), ([convert("s", .seconds), convert("s", .string)], "s"),
        ([convert("n", .integer), fill("n", .string("7"))], "n"), ([convert("n", .integer), fill("n", .string("x"))], "n"),
        ([convert("n", .integer), fill("n.a", .null)], "n.a"), ([fill("k", .integer(1)), fill("k", .integer(2))], "k"),
        ([fill("v.a", .null), .setVersion(path("v"), 1)], "v"), ([move("old", "v"), .setVersion(path("v"), 1)], "v"),
    ]

    @Test(arguments: accepted.indices) func `edits that do not disturb one another can be made together`(row: Int) {
        #expect(FieldEdit.conflict(in: Self.accepted[row]) == nil)
    }

    @Test(arguments: refused.indices) func `edits that undo or feed one another are found`(row: Int) {
        let (edits, field) = Self.refused[row]
        #expect(FieldEdit.conflict(in: edits) == FieldEdit.Conflict(first: 0, second: edits.count - 1, field: Self.path(field)))
    }

    // MARK: Random plans

    private static let paths = ["a", "b", "c", "m", "m.a", "m.b", "m.n", "m.n.a", "v"].map { path($0) }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 7), using: &random) {
        case 0: return .null
        case 1: return .integer(7)
        case 2: return .string("7")
        case 3: return .string("x")
        case 4: return .double(1.5)
        case 5: return .boolean(true)
        case 6: return .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))
        default:
            let names = ["a", "b", "n", "c"].filter { _ in Bool.random(using: &random) }
            return .map(FieldMap(names.map { ($0, value(depth: depth - 1, &random)) }))
        }
    }

    /// Edits of each kind, in the order in which a command makes them.
    private static func kinds(_ random: inout SeededGenerator) -> [[FieldEdit]] {
        var kinds: [[FieldEdit]] = [[], [], [], [], []]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let path = paths.randomElement(using: &random)!
            let kind = Int.random(in: 0..<9, using: &random) / 2
            switch kind {
            case 0: kinds[0].append(.move(path, to: paths.randomElement(using: &random)!))
            case 1: kinds[1].append(.remove(path))
            case 2: kinds[2].append(.convert(path, to: FieldConversion.allCases.randomElement(using: &random)!))
            case 3: kinds[3].append(.setDefault(path, ValueBytes(value(depth: 2, &random))))
            default: kinds[4] = [.setVersion(path, 3)]
            }
        }
        return kinds
    }

    /// nil if the document cannot be migrated; its own fields if nothing is to be done.
    private static func migrated(_ fields: FieldBytes, _ edits: [FieldEdit]) -> FieldBytes? {
        let document = Document(key: DocumentKey(trusted: "c/a"), createTime: .none, updateTime: .none, fields: fields)
        do {
            return try MigrationPlan(edits: edits).migrate(document)?.fields ?? fields
        } catch {
            return nil
        }
    }

    /// One edit after the other, as documented.
    private static func naive(_ fields: FieldBytes, _ edits: [FieldEdit]) -> FieldBytes? {
        guard var map = try? fields.map else { return nil }
        if case .setVersion(let path, let version)? = edits.last, let stored = map[path] {
            guard case .integer(let number) = stored, number >= 0 else { return nil }
            if number >= version { return fields }
        }
        do {
            for edit in edits { try edit.apply(to: &map) }
        } catch {
            return nil
        }
        return FieldBytes(map)
    }

    @Test(arguments: 0..<20) func `an accepted plan changes nothing in its own result, whatever the order of edits of one kind`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var several = 0
        for _ in 0..<TestScale.pick(quick: 300, full: 5_000) {
            let kinds = Self.kinds(&random)
            let edits = kinds.flatMap { $0 }
            guard FieldEdit.conflict(in: edits) == nil else { continue }
            if edits.count > 1 { several += 1 }
            let other = kinds.flatMap { $0.shuffled(using: &random) }
            #expect(FieldEdit.conflict(in: other) == nil)
            for _ in 0..<8 {
                let names = ["a", "b", "c", "m", "m", "v"].filter { _ in Bool.random(using: &random) }
                var map = FieldMap()
                for name in names { map[name] = name == "v" ? .integer(Int64.random(in: 0...4, using: &random)) : Self.value(depth: 3, &random) }
                let fields = FieldBytes(map)
                let result = Self.migrated(fields, edits)
                #expect(result == Self.naive(fields, edits), "\(edits)")
                #expect(result == Self.migrated(fields, other), "\(edits)")
                if let result { #expect(Self.migrated(result, edits) == result, "\(edits)") }
            }
        }
        #expect(several > 20)
    }
}
