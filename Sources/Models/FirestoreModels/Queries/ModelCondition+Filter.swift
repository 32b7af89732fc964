// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
package import FirestoreCore

extension ModelCondition where Model: FirestoreModel {
    /// The filter of a query, with the names and the operands that the encoder gives.
    package func filter(_ coder: ModelCoder<Model>, for query: Query) throws(FirestoreError) -> FilterNode {
        try Self.filter(node, coder, for: query)
    }

    private static func filter(_ node: Node, _ coder: ModelCoder<Model>, for query: Query) throws(FirestoreError) -> FilterNode {
        switch node {
        case .comparison(let path, let op, let operand):
            let value = try operand.value(at: path, coder, in: query.firestore)
            if path.isDocumentID { try checkID(value, for: query) }
            return .field(try coder.segments(of: path), op, value)
        case .and(let nodes): return .and(try filters(nodes, coder, for: query))
        case .or(let nodes): return .or(try filters(nodes, coder, for: query))
        case .invalid(let error): throw error
        }
    }

    private static func filters(_ nodes: [Node], _ coder: ModelCoder<Model>, for query: Query) throws(FirestoreError) -> [FilterNode] {
        try nodes.map { (node) throws(FirestoreError) in try filter(node, coder, for: query) }
    }

    /// A collection group compares whole paths, so that an id alone is a mistake (MP-48).
    private static func checkID(_ value: Value, for query: Query) throws(FirestoreError) {
        guard query.isOfGroup else { return }
        switch value {
        case .array(let values): for value in values { try checkID(value, for: query) }
        case .string(let text) where !text.utf8.contains(UInt8(ascii: "/")):
            throw .invalidArgument(
                "a query of a collection group compares whole paths, but \"\(text)\" is the id of a document; compare the reference: "
                    + "$0.id.reference == reference")
        default: break
        }
    }
}
