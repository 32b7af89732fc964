// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension FirebaseDataDecoder {
    /// Decodes a value from any structure.
    ///
    /// Throws `DecodingError`, with the path of the missing or invalid value.
    public func decode<T: Decodable>(_ type: T.Type, from structure: Any) throws -> T {
        let objects = StructureObjects()
        var options = DecodingOptions(
            dates: dateDecodingStrategy, data: dataDecodingStrategy,
            nonConformingFloats: nonConformingFloatDecodingStrategy, keys: keyDecodingStrategy, userInfo: userInfo)
        options.passthrough = passthroughTypeResolver
        options.objects = objects
        return try DocumentDecoder.decode(type, from: StructureEncoder.encode(structure, rules: objects), options: options)
    }
}
