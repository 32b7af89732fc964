// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreClient

/// LO-12: the framing of a bundle.
@Suite struct BundleReaderTests {
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `elements come out whole, however the bytes come in`(chunk: Int) throws {
        let elements = [#"{"a":1}"#, #"{"text":"ä"}"#, "{}"]
        let bytes = elements.flatMap { Array("\($0.utf8.count)\($0)".utf8) }
        var reader = BundleReader()
        var found: [String] = []
        var total = 0
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            reader.append(bytes[start..<min(start + chunk, bytes.count)])
            while let (element, length) = try reader.next() {
                found.append(element.text())
                total += length
            }
        }
        #expect(found == elements && total == bytes.count && reader.isAtEnd)
    }

    @Test func `an element that is not whole waits`() throws {
        var reader = BundleReader()
        reader.append(Array("12".utf8))
        #expect(try reader.next()?.length == nil && !reader.isAtEnd)
        reader.append(Array(#"{"a":"#.utf8))
        #expect(try reader.next()?.length == nil && !reader.isAtEnd)
    }

    @Test(arguments: ["{}", "x", "-1{}", " 2{}", "16777217{", "0{}", "1{}"])
    func `wrong framing is refused`(text: String) {
        var reader = BundleReader()
        reader.append(Array(text.utf8))
        #expect(throws: FirestoreError.self) { try reader.next() }
    }

    @Test func `the list of bundles survives its text`() throws {
        var bundles = LoadedBundles()
        let text = #"{"metadata":{"id":"a\"b","createTime":"1970-01-01T00:00:05Z","version":1,"totalDocuments":0,"totalBytes":0}}"#
        guard case .metadata(let metadata) = try BundleElement(JSON(text.utf8), in: DatabaseID(projectID: "p")) else {
            Issue.record("no metadata")
            return
        }
        let commit = DocumentVersion(microseconds: 7)
        bundles.add([commit], of: metadata, isComplete: false)
        #expect(try !LoadedBundles(bundles.fact).has(metadata))
        bundles.add([], of: metadata, isComplete: true)
        let again = try LoadedBundles(bundles.fact)
        #expect(again.has(metadata) && again.commits(upTo: metadata.createTime) == [commit])
        #expect(again.commits(upTo: DocumentVersion(microseconds: 4_999_999)).isEmpty)
        #expect(try LoadedBundles(nil).entries.isEmpty)
    }
}
