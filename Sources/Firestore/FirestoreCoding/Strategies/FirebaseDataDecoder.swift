// SPDX-License-Identifier: Apache-2.0

/// Makes values of your types from plain structures, such as those of `FirebaseDataEncoder`.
///
/// For documents use `Firestore.Decoder`; its strategies are declared here. Do not use one decoder from several threads
/// simultaneously.
public class FirebaseDataDecoder {
    /// How dates are read: from numbers, seconds since 2001, unless you choose otherwise.
    public var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    /// How `Data` is read: from base64 strings, unless you choose otherwise.
    public var dataDecodingStrategy: DataDecodingStrategy = .base64
    /// Whether strings represent NaN and the infinities: they do not, unless you choose otherwise.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
    /// How keys become property names: unchanged, unless you choose otherwise.
    public var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    /// Which objects are returned unchanged if exactly their type is requested: none, unless you choose otherwise.
    public var passthroughTypeResolver: any StructureCodingPassthroughTypeResolver.Type = NoPassthroughTypes.self
    /// The user info that `init(from:)` of your types finds in its decoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Creates a decoder with the default strategies.
    public init() {}
}
