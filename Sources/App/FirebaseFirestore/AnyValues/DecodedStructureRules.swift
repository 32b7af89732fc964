// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

/// A structure that is passed to a decoder: it is not stored, so names are not checked, and arrays may contain arrays.
struct DecodedStructureRules: StructureRules {
    /// Collects the reference objects of the structure.
    let references: ReferenceObjects

    func checkDepth(_ depth: Int) throws { try ScalarParser.checkDepth(depth) }

    func scalar(_ object: Any) throws -> Value? { try ScalarParser(purpose: .decoded(references)).value(object) }

    func substitute(_ object: Any) throws -> StructureSubstitute {
        switch object {
        case is FieldValue: throw FirestoreError.invalidArgument("a FieldValue cannot be decoded")
        case let optional as any OptionalValue: return optional.wrapped.map { .structure($0) } ?? .value(.null)
        default: throw UnstorableValue.error(object)
        }
    }
}
