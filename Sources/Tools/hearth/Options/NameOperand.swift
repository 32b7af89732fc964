// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Operands of `__name__`: ids of documents, which are references in the protocol (QR-17, QR-18).
struct NameOperand {
    let scope: QueryScope
    let database: DatabaseID

    /// The operand of a condition.
    func value(_ operand: Value, for op: QueryFilter.FieldOperator) throws(FirestoreError) -> Value {
        guard op == .in || op == .notIn, case .array(let elements) = operand else { return try reference(operand) }
        var references: [Value] = []
        for element in elements { references.append(try reference(element)) }
        return .array(references)
    }

    /// One of several operands, or the value of a cursor.
    func reference(_ operand: Value) throws(FirestoreError) -> Value {
        switch operand {
        case .reference: return operand
        case .string(let text):
            guard case .collection(let collection) = scope else { return .reference(database.name(of: try PathCheck.documentKey(text))) }
            try PathCheck.documentID(text)
            return .reference(database.name(of: DocumentKey(collection: collection, id: text)))
        default: throw .invalidArgument("__name__ can only be compared with a string, the id of a document", at: "__name__")
        }
    }
}
