// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension FirebaseDataEncoder {
    /// Encodes any value. Throws `EncodingError.invalidValue` if the value encodes nothing.
    public func encode<T: Encodable>(_ value: T) throws -> sending Any {
        let objects = StructureObjects()
        var options = EncodingOptions(
            dates: dateEncodingStrategy, data: dataEncodingStrategy,
            nonConformingFloats: nonConformingFloatEncodingStrategy, keys: keyEncodingStrategy, userInfo: userInfo,
            destination: .structure)
        options.passthrough = passthroughTypeResolver
        options.objects = objects
        let state = EncodingState(options: options, root: .value)
        try state.encodeRoot(value)
        if state.failure == nil, state.top.pointee.kind == .pending {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "The value encoded nothing."))
        }
        let bytes = try state.finishValue()
        // The structure is created here from bytes and not retained elsewhere, so it can be sent. Objects that pass through are the
        // caller's, who must not use them concurrently.
        nonisolated(unsafe) let structure = bytes.withUnsafeBytes { objects.object(ValueView($0)) }
        return structure
    }
}
