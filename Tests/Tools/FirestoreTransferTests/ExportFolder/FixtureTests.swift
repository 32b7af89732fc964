// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
@testable import FirestoreTransfer
import Foundation
import TestSupport
import Testing

/// What the official emulator has written (`Fixtures/README.md`), document by document.
struct FixtureTests {
    static let database = DatabaseID(projectID: "demo-export")
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures").path

    static func documents(_ path: String, into database: DatabaseID = database) throws -> [TransferredDocument] {
        var input = try ExportFolderInput(path, database: database)
        var documents: [TransferredDocument] = []
        while let item = try input.next() { documents.append(try item.content.get()) }
        #expect(input.bytesRead == input.size)
        return documents.sorted { $0.key < $1.key }
    }

    private static func time(_ microseconds: Int64) -> Value { .timestamp(TimestampValue(microsecondsSince1970: microseconds)) }
    private static func point(_ latitude: Double, _ longitude: Double) -> Value {
        .geoPoint(GeoPointValue(latitude: latitude, longitude: longitude))
    }
    private static func reference(_ path: String) -> Value { .reference(database.name(of: DocumentKey(trusted: path))) }
    private static func map(_ fields: [(String, Value)]) -> Value { .map(FieldMap(fields)) }
    private static func long(_ letter: String, _ count: Int) -> Value { .string(String(repeating: letter, count: count)) }

    static let expected: [(path: String, fields: [(String, Value)])] = [
        (
            "types/array",
            [
                ("empty", .array([])), ("one", .array([.integer(1)])),
                (
                    "mixed",
                    .array([
                        .null, .boolean(true), .integer(1), .double(1.5), .string("s"), .bytes([0x62]), point(1, 2), time(1_767_225_600_000_000),
                        reference("types/null"), map([("m", .integer(1))]), map([]), long("x", 1_501),
                    ])
                ),
            ]
        ),
        ("types/big", [("text", long("é", 20_000))]),
        ("types/bool", [("t", .boolean(true)), ("f", .boolean(false))]),
        (
            "types/bytes",
            [
                ("empty", .bytes([])), ("short", .bytes([0, 1, 255])), ("long", .bytes((0..<6).flatMap { _ in [UInt8](0...255) })),
                ("limit", .bytes([UInt8](repeating: 0x7A, count: 1_500))),
            ]
        ),
        (
            "types/double",
            [
                ("zero", .double(0)), ("nzero", .double(-0.0)), ("nan", .double(.nan)), ("inf", .double(.infinity)), ("ninf", .double(-.infinity)),
                ("third", .double(1.0 / 3)), ("one", .double(1)),
            ]
        ),
        ("types/empty", []),
        ("types/geo", [("zero", point(0, 0)), ("sf", point(37.7749, -122.4194)), ("nz", point(-0.0, -0.0))]),
        ("types/int", [("zero", .integer(0)), ("one", .integer(1)), ("neg", .integer(-1)), ("max", .integer(.max)), ("min", .integer(.min))]),
        (
            "types/map",
            [
                ("empty", map([])),
                ("nested", map([("a", map([("b", map([("c", .array([.integer(1), map([("d", .array([]))]), map([("e", map([]))])]))]))])), ("s", long("x", 1_501))])),
                ("keys", map([("a.b", .integer(1)), ("with space", .integer(2)), ("`", .integer(3)), ("é", .integer(4)), ("$x", .integer(5))])),
            ]
        ),
        ("types/names", [("with.dot", .integer(1)), ("a b", .integer(2)), ("`", .integer(3)), ("😀", .integer(4)), ("_x", .integer(5))]),
        ("types/null", [("v", .null)]),
        ("types/null/sub/doc", [("below", .boolean(true))]),
        ("types/ref", [("here", reference("types/null")), ("deep", reference("a/b/c/d")), ("num", reference("types/__id7__"))]),
        (
            "types/string",
            [
                ("empty", .string("")), ("short", .string("plain")), ("uni", .string("Zürich 😀 e\u{301}")), ("long", long("x", 1_501)),
                ("limit", long("y", 1_500)), ("nul", .string("a\0b")),
            ]
        ),
        (
            "types/time",
            [
                ("epoch", time(0)), ("micro", time(1_795_253_400_123_456)), ("before", time(-1)), ("first", time(-62_135_596_800_000_000)),
                ("last", time(253_402_300_799_999_999)),
            ]
        ),
        ("types/vector", [("v", .vector([1, -2.5, 0])), ("m", map([("v", .vector([0.5]))]))]),
        ("types/__id7__", [("n", .integer(7))]),
        ("types/__id-12__", [("n", .integer(-12))]),
        ("types/Zürich 😀", [("id", .string("unicode"))]),
        ("missing/parent/sub/doc", [("below", .string("missing"))]),
        (String(repeating: "c", count: 1_500) + "/" + String(repeating: "d", count: 1_500), [("long", .string("names"))]),
        ("refs/other", [("p", .reference("projects/other/databases/(default)/documents/a/b"))]),
        ("refs/second", [("p", .reference("projects/demo-export/databases/second/documents/a/b"))]),
    ]

    @Test func `every document of the emulator's export equals the written one`() throws {
        let found = try Self.documents(Self.folder + "/emulator-default")
        let expected = Self.expected.map { path, fields in
            TransferredDocument(key: DocumentKey(trusted: path), fields: FieldBytes(FieldMap(fields)))
        }.sorted { $0.key < $1.key }
        #expect(found.map(\.key) == expected.map(\.key))
        for (found, expected) in zip(found, expected) {
            #expect(found.fields == expected.fields, "\(expected.key)")
            try DocumentCheck.check(found.fields, of: found.key)
        }
    }

    @Test func `references into the exported database lead into the one they come to`() throws {
        let target = DatabaseID(projectID: "elsewhere", databaseID: "mine")
        let found = try Self.documents(Self.folder + "/emulator-second", into: target)
        #expect(found.map(\.key.path) == ["cities/SF"])
        let map = try #require(found.first).fields.map
        guard case .reference(let name)? = map["here"] else { throw Unexpected() }
        #expect(name == "projects/elsewhere/databases/mine/documents/cities/LA")
        // Others stay as they are.
        let others = try Self.documents(Self.folder + "/emulator-default", into: target).first { $0.key.path == "refs/second" }
        guard case .reference(let name)? = try #require(others).fields.map["p"] else { throw Unexpected() }
        #expect(name == "projects/demo-export/databases/second/documents/a/b")
    }

    struct Unexpected: Error {}

    @Test func `ours have the bytes of the emulator's, but for the order`() throws {
        // The emulator's own order of documents and properties is that of a hash table, so compare what has none.
        for (folder, id) in [("emulator-default", "(default)"), ("emulator-second", "second")] {
            let database = DatabaseID(projectID: "demo-export", databaseID: id)
            let writer = EntityWriter(database: database)
            var reader = RecordLogReader(try InputFile(Self.folder + "/" + folder + "/all_namespaces/all_kinds/output-0"))
            while let record = try reader.next({ [UInt8]($0) }) {
                let document = try record.withUnsafeBytes { try EntityReader(database: database).document($0).get() }
                let ours = try writer.bytes(document)
                // Bytes of maps sit inside; they have no order either.
                #expect(ours.count == record.count && ours.sorted() == record.sorted(), "\(document.key)")
                if try document.fields.map.entries.count == 1, document.key.path != "types/map" { #expect(ours == record, "\(document.key)") }
            }
        }
    }

    @Test func `an export is found by its folder, by the folder around it, and by its file`() throws {
        for path in ["emulator-default", "emulator-default/", "emulator-default/edefault.overall_export_metadata"] {
            #expect(try Self.documents(Self.folder + "/" + path).count == Self.expected.count)
        }
        let folder = try ScratchFolder()
        try FileManager.default.copyItem(atPath: Self.folder + "/emulator-default", toPath: folder.file("firestore_export"))
        #expect(try Self.documents(folder.path).count == Self.expected.count)
        let both = try #require(throws: FirestoreError.self) { try Self.documents(Self.folder) }
        #expect(both.message.contains("more than one export"))
        let none = try #require(throws: FirestoreError.self) { try Self.documents(Self.folder + "/emulator-default/all_namespaces") }
        #expect(none.code == .notFound)
    }
}
