// SPDX-License-Identifier: Apache-2.0
public import FirestoreModels
import FirebaseFirestore

/// Expects that the table of a model's fields fits what the type decodes.
///
/// ```swift
/// @Test func `the table of cities fits`() throws { try expectFields(City.self) }
/// ```
/// For tables that were written by hand: `@FirestoreModel` and `hearth types --fields` write tables that fit. References need no
/// stand-ins, as they do for `verifyFields(standIns:)`.
///
/// Beyond the Apple SDK.
///
/// - Parameters:
///   - model: The type.
///   - standIns: Values for required properties of types that cannot be made up: those that check their input and accept few values.
///   - fileID: The file of the call, for the error.
///   - line: The line of the call, for the error.
/// - Throws: An error that lists the fields that are missing, that the type does not decode, or that have another type or kind;
///   this fails a test in Swift Testing and in XCTest.
public func expectFields<Model: FirestoreModel>(
    _ model: Model.Type, standIns: [any Decodable] = [], fileID: StaticString = #fileID, line: UInt = #line
) throws {
    let reference = try TestFirestore().firestore.document("documents/document")
    do {
        try model.verifyFields(standIns: standIns + [reference])
    } catch let error as FieldTableError {
        throw UnmetExpectation("\(fileID):\(line): \(error)")
    }
}
