// SPDX-License-Identifier: Apache-2.0

/// Turns values of your types into plain structures: dictionaries, arrays, strings, numbers, `Data` and `NSNull`.
///
/// For documents use `Firestore.Encoder`; its strategies are declared here. A standalone encoder accepts any top-level
/// value and does not apply Firestore's types and rules: arrays may contain arrays, and objects that the
/// `passthroughTypeResolver` selects are left unchanged. Do not use one encoder from several threads simultaneously.
public class FirebaseDataEncoder {
    /// How dates are stored: as numbers, seconds since 2001, unless you choose otherwise.
    public var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    /// How `Data` is stored: as a base64 string, unless you choose otherwise.
    public var dataEncodingStrategy: DataEncodingStrategy = .base64
    /// How NaN and the infinities are stored: not at all, which is an error, unless you choose otherwise.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
    /// How property names become keys: unchanged, unless you choose otherwise.
    public var keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys
    /// Which objects are stored unchanged: none, unless you choose otherwise.
    public var passthroughTypeResolver: any StructureCodingPassthroughTypeResolver.Type = NoPassthroughTypes.self
    /// The user info that `encode(to:)` of your types finds in its encoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Creates an encoder with the default strategies.
    public init() {}
}
