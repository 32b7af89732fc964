// SPDX-License-Identifier: Apache-2.0
// A table in another file than its type, whose `CodingKeys` the compiler has written (MP-49). Read by CompileFailTests.
import FirestoreModels

extension Village: FirestoreModel {
    struct Fields: Sendable {
        let name = ModelField<Village, String, FieldKind.Required>(CodingKeys.name)  // expect-error: move the table of fields into the file that declares the type
        let houses = ModelField<Village, Int, FieldKind.Required>(CodingKeys.houses)  // expect-error: move the table of fields into the file that declares the type
    }
    static let fields = Fields()
}

// With `CodingKeys` that are declared, it may stand anywhere.
extension Hamlet: FirestoreModel {
    struct Fields: Sendable { let name = ModelField<Hamlet, String, FieldKind.Required>(CodingKeys.name) }
    static let fields = Fields()
}
