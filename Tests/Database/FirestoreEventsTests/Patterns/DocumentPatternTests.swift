// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import TestSupport
import Testing

@Suite struct DocumentPatternTests {
    @Test(
        "A pattern matches the documents that it names, and gives its parameters their segments",
        arguments: [
            ("orders/{order}", "orders/1", ["order": "1"]),
            ("orders/1", "orders/1", [:]),
            ("orders/*", "orders/1", [:]),
            ("orders/{order=*}/items/{item}", "orders/1/items/2", ["order": "1", "item": "2"]),
            ("{path=**}", "orders/1/items/2", ["path": "orders/1/items/2"]),
            ("orders/{rest=**}", "orders/1/items/2", ["rest": "1/items/2"]),
            ("orders/{rest=**}/items/{item}", "orders/1/items/2", ["rest": "1", "item": "2"]),
            ("orders/{rest=**}/{last}", "orders/1", ["rest": "", "last": "1"]),
            ("größen/{größe_}", "größen/é", [:]),
        ] as [(String, String, [String: String])])
    func matches(_ text: String, _ path: String, _ params: [String: String]) throws {
        guard text.utf8.allSatisfy({ $0 < 128 }) else {
            #expect(throws: FirestoreError.self) { try DocumentPattern(text) }
            return
        }
        #expect(try DocumentPattern(text).match(DocumentKey(trusted: path)) == params)
    }

    @Test(
        "A pattern does not match other documents",
        arguments: [
            ("orders/{order}", "orders/1/items/2"), ("orders/{order}", "carts/1"), ("orders/1", "orders/2"),
            ("orders/{rest=**}/items/{item}", "orders/1"), ("orders/é", "orders/e\u{301}"), ("a/{b}/c/{d}", "a/b"),
        ])
    func others(_ text: String, _ path: String) throws {
        #expect(try DocumentPattern(text).match(DocumentKey(trusted: path)) == nil)
    }

    // OT-48
    @Test(
        "A text that is not a pattern is refused, and the message says why",
        arguments: [
            ("", "a segment is empty"), ("orders", "it matches collections"), ("/orders/{id}", "a segment is empty"),
            ("orders/{id}/items", "it matches collections"), ("orders/{id", "neither a name nor a parameter"),
            ("orders/x{id}", "neither a name nor a parameter"), ("orders/{}", "not the name of a parameter"),
            ("orders/{1}", "not the name of a parameter"), ("a/{x}/b/{x}", "two parameters are named \"x\""),
            ("{a=**}/{b=**}", "only one part"), ("orders/{id=x*}", "nothing else can follow"),
        ])
    func mistakes(_ text: String, _ why: String) throws {
        let error = try #require(throws: FirestoreError.self) { try DocumentPattern(text) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(why), "\(error)")
    }
}
