// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import TestSupport
import Testing

struct JSONLinesTests {
    private static let database = DatabaseID(projectID: "library")

    private func items(_ text: String, _ form: DocumentForm = .documents) throws -> [ImportItem] {
        let folder = try ScratchFolder()
        var input = JSONLinesInput(try InputFile(try folder.write(text.utf8, to: "f")), form: form, database: Self.database) { "made-up" }
        var items: [ImportItem] = []
        while let item = try input.next() { items.append(item) }
        #expect(input.bytesRead == text.utf8.count)
        #expect(input.size == Int64(text.utf8.count))
        return items
    }

    @Test func `a line is a document; lines without anything are none`() throws {
        let found = try items("\n{\"path\":\"a/b\",\"fields\":{\"x\":1}}\n \t\r\n\n{\"fields\":{},\"path\":\"a/c\"}")
        #expect(try found.map { try $0.content.get().key.path } == ["a/b", "a/c"])
        #expect(found.map(\.place.position) == [.line(2), .line(5)])
        #expect(try found[0].content.get().fields == FieldBytes(FieldMap([("x", .integer(1))])))
    }

    @Test func `fields alone get their path from the collection and a field, or a new id`() throws {
        let collection = CollectionPath(trusted: "cities/SF/parks")
        let text = "{\"id\":\"x\",\"n\":1}\n{\"id\":7,\"n\":2}"
        let named = try items(text, .fields(of: collection, idField: "id"))
        #expect(try named.map { try $0.content.get().key.path } == ["cities/SF/parks/x", "cities/SF/parks/7"])
        // The field stays.
        #expect(try named[0].content.get().fields == FieldBytes(FieldMap([("id", .string("x")), ("n", .integer(1))])))
        let made = try items(text, .fields(of: collection, idField: nil))
        #expect(try made.map { try $0.content.get().key.path } == ["cities/SF/parks/made-up", "cities/SF/parks/made-up"])
    }

    static let failures: [(line: String, idField: String?, message: String, location: String)] = [
        ("{\"n\":1}", "id", "is missing", "line 2, field id"), ("{\"id\":1.5}", "id", "neither a string nor an integer", "line 2, field id"),
        ("{\"id\":\"a/b\"}", "id", "slash", "line 2, field id"), ("{\"id\":\"__x__\"}", "id", "reserved", "line 2, field id"),
        ("{\"a b\":\"\"}", "a b", "empty", "line 2, field `a b`"), ("[1]", nil, "object", "line 2, column 1"),
        ("{\"a\":{\"b\":[1,tru]}}", nil, "a value is expected", "line 2, column"),
    ]

    @Test(arguments: failures.indices)
    func `a bad line is reported with its number and the field, and does not end the reading`(index: Int) throws {
        let (line, idField, message, location) = Self.failures[index]
        let found = try items("{\"id\":\"ok\",\"a b\":\"ok\"}\n\(line)\n{\"id\":\"ok\",\"a b\":\"ok\"}", .fields(of: CollectionPath(trusted: "c"), idField: idField))
        #expect(found.count == 3)
        guard case .failure(let error) = found[1].content, case .success = found[2].content else { return #expect(Bool(false)) }
        #expect(error.message.contains(message), "\(error)")
        #expect(error.location?.contains("/f: \(location)") == true, "\(error)")
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `whatever a line holds, there is a document or an error`(seed: UInt64) throws {
        var random = RandomDocuments(seed: seed, database: Self.database)
        var text: [UInt8] = []
        for document in random.documents(20) {
            var writer = TypedJSONWriter(database: Self.database)
            try writer.append(Document(key: document.key, createTime: .none, updateTime: .none, fields: document.fields))
            var line = writer.bytes
            for _ in 0..<Int.random(in: 0..<3, using: &random.generator) {
                line[Int.random(in: 0..<line.count, using: &random.generator)] = UInt8.random(in: 0...255, using: &random.generator)
            }
            text += line + [0x0A]
        }
        let folder = try ScratchFolder()
        var input = JSONLinesInput(try InputFile(try folder.write(text, to: "f")), form: .documents, database: Self.database)
        while let item = try input.next() {
            switch item.content {
            case .success(let document): _ = try? DocumentCheck.check(document.fields, of: document.key)
            case .failure(let error): #expect(error.code == .invalidArgument)
            }
        }
    }
}
