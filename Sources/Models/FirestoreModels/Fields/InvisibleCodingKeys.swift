// SPDX-License-Identifier: Apache-2.0

extension FirestoreModel {
    /// Not available: found where the model's own `CodingKeys` are not visible.
    ///
    /// The `CodingKeys` that the compiler writes are private to the file of the type. A table in another file finds these instead, and
    /// one error for each of its lines says what to do.
    ///
    /// Beyond the Apple SDK.
    @available(
        *, unavailable,
        message: """
            the type's CodingKeys are not visible here: move the table of fields into the file that declares the type, or declare \
            `enum CodingKeys: String, CodingKey` in the type
            """
    )
    public typealias CodingKeys = InvisibleCodingKeys
}

/// A stand-in for ``FirestoreModel/CodingKeys`` where the real keys are not visible: it has every key, so that only the reason is reported.
///
/// Beyond the Apple SDK.
@dynamicMemberLookup
public struct InvisibleCodingKeys: CodingKey {
    /// The name of the field.
    public let stringValue: String
    /// nil.
    public var intValue: Int? { nil }

    /// Creates a key.
    public init(stringValue: String) { self.stringValue = stringValue }
    /// nil.
    public init?(intValue: Int) { nil }

    /// The key of a name.
    public static subscript(dynamicMember name: String) -> InvisibleCodingKeys { InvisibleCodingKeys(stringValue: name) }
}
