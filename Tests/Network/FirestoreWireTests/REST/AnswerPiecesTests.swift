// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

/// Large answers in pieces.
struct AnswerPiecesTests {
    private static let database = DatabaseID(projectID: "p")

    private static func response(_ count: Int, token: String) -> [UInt8] {
        let entries = (0..<count).map { number -> ListDocumentsResponse.Entry in
            let fields = FieldBytes(FieldMap([("n", .integer(Int64(number))), ("text", .string(String(repeating: "é\n", count: 500)))]))
            let key = DocumentKey(trusted: "c/\(number)")
            if number % 7 == 3 { return .missing(key) }
            let time = DocumentVersion(microseconds: 1)
            return .document(Document(key: key, createTime: time, updateTime: time, fields: fields))
        }
        return ListDocumentsResponse(database: database, entries: entries, nextPageToken: token).encoded()
    }

    @Test(arguments: ["", "?prettyPrint=false", "?fields=documents/name", "?fields=nextPageToken", "?fields=documents(name,fields/n)&prettyPrint=false"])
    func `pieces are together the text of the whole answer`(query: String) throws {
        let call = try #require(try RESTRouter.match(verb: "GET", target: "/v1/projects/p/databases/(default)/documents/c" + query))
        for (count, token) in [(0, ""), (0, "next"), (1, ""), (500, "next"), (500, "")] {
            let message = Self.response(count, token: token)
            var pieces = try #require(call.responsePieces(message))
            var text: [UInt8] = []
            var most = 0
            while let piece = try pieces.next() {
                text += piece
                most = max(most, piece.count)
            }
            #expect(text == (try call.responseJSON(ByteSlice(message))), "\(count) \(token)")
            #expect(most < 128 << 10)
        }
    }

    @Test func `damage is an error, not an answer`() throws {
        let call = try #require(try RESTRouter.match(verb: "GET", target: "/v1/projects/p/databases/(default)/documents/c"))
        var pieces = try #require(call.responsePieces(Array(Self.response(3, token: "").dropLast())))
        #expect(throws: FirestoreError.self) { while try pieces.next() != nil {} }
    }
}
