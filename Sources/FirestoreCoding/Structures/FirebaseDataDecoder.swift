import FirestoreCore

/// Makes values of your types from plain structures: what `FirebaseDataEncoder` makes of them, or the like by hand.
///
/// `Firestore.Decoder` is the one for documents; its strategies have their names here. Not for several threads at once.
public class FirebaseDataDecoder {
    /// How dates are read: from numbers, seconds since 2001, unless you choose otherwise.
    public var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
    /// How `Data` is read: from base64 strings, unless you choose otherwise.
    public var dataDecodingStrategy: DataDecodingStrategy = .base64
    /// Whether strings stand for NaN and the infinities: they do not, unless you choose otherwise.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
    /// How keys become property names: unchanged, unless you choose otherwise.
    public var keyDecodingStrategy: KeyDecodingStrategy = .useDefaultKeys
    /// Which objects are handed over untouched where exactly their type is asked for: none, unless you choose otherwise.
    public var passthroughTypeResolver: any StructureCodingPassthroughTypeResolver.Type = NoPassthroughTypes.self
    /// What `init(from:)` of your types finds in its decoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Creates a decoder with the default strategies.
    public init() {}

    /// Decodes a value from any structure. Throws `DecodingError`, with the path of the value it did not find or like.
    public func decode<T: Decodable>(_ type: T.Type, from structure: Any) throws -> T {
        let objects = StructureObjects()
        var options = DecodingOptions(
            dates: dateDecodingStrategy, data: dataDecodingStrategy,
            nonConformingFloats: nonConformingFloatDecodingStrategy, keys: keyDecodingStrategy, userInfo: userInfo)
        options.passthrough = passthroughTypeResolver
        options.objects = objects
        return try DocumentDecoder.decode(type, from: ValueBytes(objects.value(structure)), options: options)
    }
}
