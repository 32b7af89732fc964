// SPDX-License-Identifier: Apache-2.0
extension QueryBound {
    /// A cursor at a document: its values for these orders, including the document id (QR-38).
    ///
    /// Fails if the document lacks one of the fields, which every result of a query with these orders has.
    package init(
        at document: Document, orders: [SortOrder], before: Bool, database: DatabaseID
    ) throws(FirestoreError) {
        defer { withExtendedLifetime(document) {} }
        var values: [ValueBytes] = []
        for order in orders {
            if order.path.isDocumentID {
                values.append(ValueBytes(.reference(database.name(of: document.key))))
            } else if let value = document.fields.view[order.path] {
                values.append(ValueBytes(canonical: ByteSlice(copying: value.buffer)))
            } else {
                throw .invalidArgument(
                    "a query cannot start or end at a document that lacks a field it sorts by",
                    at: "\(document.key.path), field \(order.path.quoted)")
            }
        }
        self.init(values: values, before: before)
    }
}
