// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func documentId() -> FunctionExpression { call("document_id") }
    public func collectionId() -> FunctionExpression { call("collection_id") }
    public func parent() -> FunctionExpression { call("parent") }
}
