// SPDX-License-Identifier: Apache-2.0

/// The options of one decoding call: a snapshot of a decoder's settings.
package struct DecodingOptions {
    package var dates: FirebaseDataDecoder.DateDecodingStrategy
    package var data: FirebaseDataDecoder.DataDecodingStrategy
    package var nonConformingFloats: FirebaseDataDecoder.NonConformingFloatDecodingStrategy
    package var keys: FirebaseDataDecoder.KeyDecodingStrategy
    package var userInfo: [CodingUserInfoKey: Any]
    /// Only for a standalone `FirebaseDataDecoder`: objects that have no form as bytes.
    var objects: StructureObjects?
    /// Only for a standalone `FirebaseDataDecoder`: which of them are returned unchanged.
    var passthrough: (any StructureCodingPassthroughTypeResolver.Type)?

    package init(
        dates: FirebaseDataDecoder.DateDecodingStrategy = .timestamp,
        data: FirebaseDataDecoder.DataDecodingStrategy = .blob,
        nonConformingFloats: FirebaseDataDecoder.NonConformingFloatDecodingStrategy = .throw,
        keys: FirebaseDataDecoder.KeyDecodingStrategy = .useDefaultKeys,
        userInfo: [CodingUserInfoKey: Any] = [:]
    ) {
        self.dates = dates
        self.data = data
        self.nonConformingFloats = nonConformingFloats
        self.keys = keys
        self.userInfo = userInfo
    }
}

extension CodingUserInfoKey {
    /// The key in `userInfo` of the document's reference while a document is decoded (R58, R73).
    package static let documentReference = CodingUserInfoKey(rawValue: "DocumentRefUserInfoKey")
}
