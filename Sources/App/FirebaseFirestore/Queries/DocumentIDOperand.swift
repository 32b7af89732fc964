// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The operands allowed with `FieldPath.documentID()`: references, and strings that name documents (QR-17, QR-18).
struct DocumentIDOperand {
    let scope: QueryScope
    let database: DatabaseID
    /// For messages.
    let place: String

    /// The operand of a filter.
    func value(_ operand: Value, for op: QueryFilter.FieldOperator) throws(FirestoreError) -> Value {
        switch op {
        case .arrayContains, .arrayContainsAny:
            throw .invalidArgument("array operators cannot be used on the document id", at: place)
        case .in, .notIn:
            guard case .array(let elements) = operand else { return try reference(operand) }
            var result: [Value] = []
            for element in elements { result.append(try reference(element)) }
            return .array(result)
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            return try reference(operand)
        }
    }

    /// One operand, or the column of a cursor.
    func reference(_ operand: Value) throws(FirestoreError) -> Value {
        switch operand {
        case .reference:
            try PathRules.checkReferences(in: operand, database: database, place: place)
            return operand
        case .string(let text):
            return .reference(database.name(of: try key(text)))
        default:
            throw .invalidArgument("the document id can only be compared with a non-empty String or a DocumentReference", at: place)
        }
    }

    private func key(_ text: String) throws(FirestoreError) -> DocumentKey {
        guard !text.utf8.isEmpty else { throw .invalidArgument("a document id must not be empty", at: place) }
        switch scope {
        case .collection(let collection):
            guard !text.utf8.contains(UInt8(ascii: "/")) else {
                throw .invalidArgument(
                    "a query of one collection compares document ids, but \"\(text)\" contains a slash; "
                        + "give the last segment of the path, or a DocumentReference", at: place)
            }
            return try PathCheck.documentKey(collection.path + "/" + text)
        case .collectionGroup, .kindless:
            do throws(FirestoreError) {
                return try PathCheck.documentKey(text)
            } catch {
                throw .invalidArgument("\"\(text)\" is not the path of a document: \(error.message)", at: place)
            }
        }
    }
}
