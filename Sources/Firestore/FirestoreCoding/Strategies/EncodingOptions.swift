// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The options of one encoding call: a snapshot of an encoder's settings.
package struct EncodingOptions {
    /// The destination of the result, which determines precision and checks.
    package enum Destination: Sendable {
        /// A stored document: timestamps are truncated to microseconds (R110).
        case document
        /// A `[String: Any]` for the user: nanoseconds are preserved until the document is written (R110).
        case dictionary
        /// A standalone `FirebaseDataEncoder`: any top-level value, without Firestore's rules about names and nesting.
        case structure
    }

    package var dates: FirebaseDataEncoder.DateEncodingStrategy
    package var data: FirebaseDataEncoder.DataEncodingStrategy
    package var nonConformingFloats: FirebaseDataEncoder.NonConformingFloatEncodingStrategy
    package var keys: FirebaseDataEncoder.KeyEncodingStrategy
    package var userInfo: [CodingUserInfoKey: Any]
    package var destination: Destination
    /// The database of the document; references into another one are rejected. nil: not checked.
    package var database: DatabaseID?
    /// An object of the caller that its types find in the encoder.
    package var companion: AnyObject?
    /// Only for `.structure`: which objects are stored unchanged.
    var passthrough: (any StructureCodingPassthroughTypeResolver.Type)?
    /// Only for `.structure`: the storage of such objects.
    var objects: StructureObjects?

    package init(
        dates: FirebaseDataEncoder.DateEncodingStrategy = .timestamp,
        data: FirebaseDataEncoder.DataEncodingStrategy = .blob,
        nonConformingFloats: FirebaseDataEncoder.NonConformingFloatEncodingStrategy = .throw,
        keys: FirebaseDataEncoder.KeyEncodingStrategy = .useDefaultKeys,
        userInfo: [CodingUserInfoKey: Any] = [:],
        destination: Destination = .document
    ) {
        self.dates = dates
        self.data = data
        self.nonConformingFloats = nonConformingFloats
        self.keys = keys
        self.userInfo = userInfo
        self.destination = destination
    }
}
