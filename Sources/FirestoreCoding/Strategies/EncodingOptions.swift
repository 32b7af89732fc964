package import FirestoreCore

/// What one encoding call was asked to do: a snapshot of an encoder's settings.
package struct EncodingOptions {
    /// Where the result goes; decides precision and what is refused.
    package enum Destination: Sendable {
        /// A stored document: timestamps are cut to microseconds (R110).
        case document
        /// A `[String: Any]` for a person: nanoseconds are kept until the document is written (R110).
        case dictionary
        /// `FirebaseDataEncoder` by itself: any top-level value, and none of Firestore's rules about names and nesting.
        case structure
    }

    package var dates: FirebaseDataEncoder.DateEncodingStrategy
    package var data: FirebaseDataEncoder.DataEncodingStrategy
    package var nonConformingFloats: FirebaseDataEncoder.NonConformingFloatEncodingStrategy
    package var keys: FirebaseDataEncoder.KeyEncodingStrategy
    package var userInfo: [CodingUserInfoKey: Any]
    package var destination: Destination
    /// The database the document goes to; references into another one are refused. nil: not checked.
    package var database: DatabaseID?
    /// Something of the caller's that its types find on the encoder.
    package var companion: AnyObject?
    /// Only for `.structure`: which objects are stored untouched.
    var passthrough: (any StructureCodingPassthroughTypeResolver.Type)?
    /// Only for `.structure`: where such objects are kept.
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
