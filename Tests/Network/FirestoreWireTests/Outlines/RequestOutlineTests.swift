// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreWire

/// What requests are about, read from their bytes.
struct RequestOutlineTests {
    private static let database = DatabaseID(projectID: "p")
    private static let name = "projects/p/databases/(default)"
    private static let root = name + "/documents"

    private static func query(_ rest: String) -> String { #"{"parent":"\#(root)","structuredQuery":{\#(rest)}}"# }

    private static func field(_ name: String, _ op: String, _ value: String) -> String {
        #"{"fieldFilter":{"field":{"fieldPath":"\#(name)"},"op":"\#(op)","value":\#(value)}}"#
    }

    @Test(arguments: [
        (.getDocument, #"{"name":"ROOT/books/b1"}"#, "books/b1", "books/b1"),
        (.deleteDocument, #"{"name":"ROOT/a/b/c/d"}"#, "a/b/c/d", "a/b/c/d"),
        (.updateDocument, #"{"document":{"name":"ROOT/books/é","fields":{"a":{"stringValue":"x"}}}}"#, "books/é", "books/é"),
        (.listDocuments, #"{"parent":"ROOT","collectionId":"books"}"#, "books", "books"),
        (.listDocuments, #"{"parent":"ROOT/books/b1","collectionId":"pages"}"#, "books/b1/pages", "books/b1/pages"),
        (.createDocument, #"{"parent":"ROOT","collectionId":"books","documentId":"b2"}"#, "books/b2", "books/b2"),
        (.createDocument, #"{"parent":"ROOT","collectionId":"books"}"#, "books", "books"),
        (.batchGetDocuments, #"{"database":"NAME","documents":["ROOT/a/1","ROOT/a/2","ROOT/a/3"]}"#, "a/1 and 2 more", "a/1 and 2 more"),
        (.commit, #"{"database":"NAME","writes":[{"delete":"ROOT/a/1"},{"update":{"name":"ROOT/a/2"}}]}"#, "a/1 and 1 more", "a/1 and 1 more"),
        (.commit, #"{"database":"NAME","writes":[{"transform":{"document":"ROOT/a/1"}}]}"#, "a/1", "a/1"),
        (.beginTransaction, #"{"database":"NAME"}"#, "", ""),
        (.listCollectionIDs, #"{"parent":"ROOT/books/b1"}"#, "books/b1", "books/b1"),
        (.runQuery, query(#""from":[{"collectionId":"books"}]"#), "books", "books"),
        (
            .runQuery, query(#""from":[{"collectionId":"books","allDescendants":true}],"where":\#(field("n", "GREATER_THAN_OR_EQUAL", #"{"integerValue":"3"}"#))"#),
            "group books where n >= …", "group books where n >= 3"
        ),
        (
            .runQuery,
            query(
                #""from":[{"collectionId":"b"}],"where":{"compositeFilter":{"op":"OR","filters":["#
                    + field("a", "EQUAL", #"{"stringValue":"x"}"#) + "," + #"{"unaryFilter":{"op":"IS_NULL","field":{"fieldPath":"c"}}}"#
                    + #"]}},"orderBy":[{"field":{"fieldPath":"a"},"direction":"DESCENDING"}],"limit":5"#),
            "b where a == … or c is null order by a desc limit 5", #"b where a == "x" or c is null order by a desc limit 5"#
        ),
        (
            .runAggregationQuery, #"{"parent":"ROOT","structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"books"}]}}}"#,
            "books", "books"
        ),
        (
            .executePipeline,
            #"{"database":"NAME","structuredPipeline":{"pipeline":{"stages":[{"name":"collection","args":[{"referenceValue":"/books"}]},"#
                + #"{"name":"where","args":[{"functionValue":{"name":"equal","args":[{"fieldReferenceValue":"a"},{"integerValue":"3"}]}}]}]}}}"#,
            "books, where", "collection(/books) where(equal(a, 3))"
        ),
        (.executePipeline, #"{"database":"NAME"}"#, "", ""),
        (
            .listen, #"{"database":"NAME","addTarget":{"targetId":7,"query":{"parent":"ROOT","structuredQuery":{"from":[{"collectionId":"x"}]}}}}"#,
            "x", "x"
        ),
        (.listen, #"{"database":"NAME","addTarget":{"targetId":7,"documents":{"documents":["ROOT/a/b","ROOT/a/c"]}}}"#, "a/b and 1 more", "a/b and 1 more"),
    ] as [(FirestoreMethod, String, String, String)])
    func `the outline of a request, without values and with them`(method: FirestoreMethod, json: String, path: String, withValues: String) throws {
        let text = json.replacing("ROOT", with: Self.root).replacing("NAME", with: Self.name)
        let message = try method.requestBytes(JSON(Array(text.utf8)))
        let outline = RequestOutline(message, of: method)
        #expect(outline.path == path && outline.database == Self.name)
        #expect(RequestOutline(message, of: method, showsValues: true).path == withValues)
        if method == .listen { #expect(outline.target?.id == 7 && outline.target?.isAdded == true) }
        // The way back.
        let back = try method.requestJSON(message)
        let again = try method.requestJSON(try method.requestBytes(back))
        #expect(again.text() == back.text())
    }

    @Test func `a truncated message of any method has an outline`() throws {
        let whole = try FirestoreMethod.commit.requestBytes(
            JSON(Array(#"{"database":"\#(Self.name)","writes":[{"delete":"\#(Self.root)/a/1"}]}"#.utf8)))
        for method in FirestoreMethod.allCases {
            for count in 0...whole.count {
                _ = RequestOutline(ByteSlice(Array(whole.array.prefix(count))), of: method, showsValues: true)
                _ = method.documentCount(of: Array(whole.array.prefix(count)))
            }
        }
        #expect(RequestOutline(.empty, of: .getDocument).path == "")
    }

    @Test func `the outline of a response counts its documents and names its targets`() {
        let document = Document(
            key: DocumentKey(trusted: "a/b"), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 1), fields: .empty)
        let change = ListenResponse.documentChange(Self.database, document, targets: [1, 300], removedFrom: []).encoded()
        #expect(FirestoreMethod.listen.documentCount(of: change) == 1)
        #expect(FirestoreMethod.targets(ofChange: change) == [1, 300])
        #expect(FirestoreMethod.targetChange(in: change) == nil)
        let snapshot = ListenResponse.targetChange(TargetChange(.noChange, readTime: DocumentVersion(microseconds: 5))).encoded()
        #expect(FirestoreMethod.targets(ofChange: snapshot) == nil)
        #expect(FirestoreMethod.targetChange(in: snapshot)?.readTime == DocumentVersion(microseconds: 5))
        #expect(FirestoreMethod.listen.documentCount(of: snapshot) == 0)
        let found = RunQueryResponse(database: Self.database, document: document).encoded()
        #expect(FirestoreMethod.runQuery.documentCount(of: found) == 1)
        let skipped = RunQueryResponse(database: Self.database, readTime: DocumentVersion(microseconds: 5)).encoded()
        #expect(FirestoreMethod.runQuery.documentCount(of: skipped) == 0)
        let results = [WriteResult(updateTime: nil), WriteResult(updateTime: nil)]
        #expect(FirestoreMethod.commit.documentCount(of: CommitMessage(results: results, commitTime: nil).encoded()) == 2)
    }
}
