// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

struct ImportRequestTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private static let fields = DocumentForm.fields(of: CollectionPath(trusted: "c"), idField: "id")

    private func read(_ name: String, _ bytes: [UInt8], _ form: DocumentForm = fields, format: FileFormat? = nil) throws -> [String] {
        let request = ImportRequest(try folder.write(bytes, to: name), format: format, form: form)
        var input = try request.open(in: DatabaseID(projectID: "p"))
        var paths: [String] = []
        while let item = try input.next() { paths.append(try item.content.get().key.path) }
        #expect(input.bytesRead == Int64(bytes.count))
        return paths
    }

    static let files: [(name: String, text: String)] = [
        ("f", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n"), ("f.jsonl", "\n{\"id\":\"a\"}\n{\"id\":\"b\"}"), ("f", "[{\"id\":\"a\"},{\"id\":\"b\"}]"), ("f.json", "{\n\"id\":\"a\"}\n{\"id\":\"b\"}"),
        ("f.json", " \u{20}[{\"id\":\"a\"},\n{\"id\":\"b\"}]"), ("F.CSV", "id,n\na,1\nb,2\n"), ("f.csv", "\u{FEFF}id\r\na\r\nb\r\n"), ("f.ndjson", "{\"id\":\"a\"}\n{\"id\":\"b\"}"),
    ]

    @Test(arguments: files.indices, [false, true])
    func `the format is detected by the name and the content, compressed or not`(index: Int, isCompressed: Bool) throws {
        let (name, text) = Self.files[index]
        let bytes = isCompressed ? GzipBytes.member(Array(text.utf8)) : Array(text.utf8)
        #expect(try read(name, bytes) == ["c/a", "c/b"])
        if isCompressed { #expect(try read(name + ".gz", bytes) == ["c/a", "c/b"]) }
    }

    static let refusals: [(name: String, text: String, says: [String])] = [
        ("f.jsonl", "{\"name\":\"SF\"}", ["f.jsonl: line 1: this is an ordinary JSON object"]),
        ("f.json", "[{\"path\":\"a/b\",\"n\":1}]", ["f.json: line 1: this is an ordinary JSON object"]), ("f.csv", "id\n1\n", ["f.csv: a row of CSV"]),
        ("f", "id,n\n", ["f: the file is neither JSON nor named .csv"]), ("f", "{\"path\":\"a/b\"}", ["\"fields\" is missing"]), ("f.json", "nonsense", ["line 1, column 1: an object is expected"]),
    ]

    @Test(arguments: refusals.indices)
    func `plain data that cannot be imported fails with the reason`(index: Int) throws {
        let (name, text, says) = Self.refusals[index]
        let error = try #require(throws: FirestoreError.self) { try read(name, Array(text.utf8), .documents) }
        for part in says { #expect("\(error)".contains(part), "\(error)") }
    }

    @Test func `a duplicate id is rejected at its second line`() throws {
        let error = try #require(throws: FirestoreError.self) { try read("f.csv", Array("n,id\n1,a\n2,b\n3,a\n".utf8)) }
        #expect("\(error)".contains("f.csv, line 4, field id: an earlier document of the file has the id \"a\" already"), "\(error)")
        #expect(throws: Never.self) { try read("f.csv", Array("n,id\n1,a\n1,b\n".utf8)) }
    }

    @Test func `ids beyond the limit are not compared, which is reported once`() throws {
        var set = HashedSet(limit: 2_000)
        for number in 0..<2_000 { #expect(set.insert("\(number)") == .inserted) }
        for number in 0..<2_000 { #expect(set.insert("\(number)") == .known) }
        #expect(set.insert("x") == .full && set.count == 2_000)
        let notes = Mutex<[ImportNote]>([])
        let text = "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":3}\n{\"id\":1}\n"
        let lines = JSONLinesInput(try InputFile(try folder.write(text.utf8, to: "f")), form: Self.fields, database: DatabaseID(projectID: "p"))
        var input = DistinctInput(lines, idField: "id", limit: 2) { note in notes.withLock { $0.append(note) } }
        var good = 0
        while let item = try input.next() { if case .success = item.content { good += 1 } }
        #expect(good == 4)
        #expect(notes.withLock { $0.count } == 1)
    }
}
