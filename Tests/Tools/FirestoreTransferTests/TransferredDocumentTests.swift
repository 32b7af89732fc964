// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import TestSupport
import Testing

struct TransferredDocumentTests {
    @Test func `an imported document replaces the stored one`() {
        let document = TransferredDocument(key: DocumentKey(trusted: "cities/SF"), fields: FieldBytes(FieldMap([("name", .string("San Francisco"))])))
        guard case .set(let fields) = document.write.operation else {
            Issue.record("not a set")
            return
        }
        #expect(fields == document.fields)
        #expect(document.write.precondition == nil)
    }
}
