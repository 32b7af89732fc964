// SPDX-License-Identifier: Apache-2.0
@_exported public import FirestoreModels

#if Macros
    /// Writes the table of a model's fields: `Fields`, `fields` and the conformance to `FirestoreModel`.
    ///
    /// ```swift
    /// @FirestoreModel
    /// struct City: Codable {
    ///     @DocumentID var id: String?
    ///     var name: String
    ///     var nickname: String?
    /// }
    /// let bonn = db.collection("cities", of: City.self).where { $0.name == "Bonn" }
    /// ```
    /// It writes what could be written by hand, and nothing else: the type stays plain `Codable`, and moves to the Apple SDK by
    /// deleting one line. Names come from `CodingKeys`; a property that they leave out is not a field.
    ///
    /// Every stored property needs a type annotation. A macro sees the text of the declaration only: a typealias of an optional
    /// type looks required, and `CodingKeys` in an extension are not seen, so that properties they leave out need ``NotStored()``.
    ///
    /// Needs the trait `Macros` of the package.
    ///
    /// Beyond the Apple SDK.
    @attached(member, names: named(Fields), named(fields))
    @attached(extension, conformances: FirestoreModel)
    public macro FirestoreModel() = #externalMacro(module: "FirestoreModelMacrosPlugin", type: "FirestoreModelMacro")

    /// Leaves a property out of the table that `@FirestoreModel` writes.
    ///
    /// Needed only for properties that `CodingKeys` in an extension leave out: the macro does not see those.
    ///
    /// Beyond the Apple SDK.
    @attached(peer)
    public macro NotStored() = #externalMacro(module: "FirestoreModelMacrosPlugin", type: "NotStoredMacro")
#endif
