// SPDX-License-Identifier: Apache-2.0
/// A `Codable` type whose fields have names that the compiler checks.
///
/// ```swift
/// struct City: Codable {
///     @DocumentID var id: String?
///     var name: String
///     var population: Int
///     var nickname: String?
/// }
///
/// extension City: FirestoreModel {
///     struct Fields: Sendable {
///         let id = ModelField<City, String, FieldKind.DocumentID>.documentID
///         let name = ModelField<City, String, FieldKind.Required>(CodingKeys.name)
///         let population = ModelField<City, Int, FieldKind.Required>(CodingKeys.population)
///         let nickname = ModelField<City, String, FieldKind.Optional>(CodingKeys.nickname)
///     }
///     static let fields = Fields()
/// }
/// ```
/// The table stands in the file of the type, where the synthesized `CodingKeys` are visible. `@FirestoreModel` of the product
/// `FirestoreModelMacros` writes it, and so does `hearth types --fields`. ``verifyFields(standIns:)`` compares a table that was
/// written by hand with what the type decodes.
///
/// The type stays plain `Codable`: without the table it compiles with the Apple SDK.
///
/// Beyond the Apple SDK.
public protocol FirestoreModel: Codable {
    /// The type of the table: one constant for each stored property, with the property's name.
    associatedtype Fields: Sendable
    /// The table.
    static var fields: Fields { get }
}
