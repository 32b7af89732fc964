/// A Firestore type met an encoder it cannot go into.
public enum FirestoreEncodingError: Error, Sendable {
    /// What was encoded, and what to use instead.
    case encodingIsNotSupported(String)
}

/// A Firestore type met a decoder it cannot come out of.
public enum FirestoreDecodingError: Error, Sendable {
    /// What was decoded, and what to use instead.
    case decodingIsNotSupported(String)
    /// Declared for source compatibility; never thrown.
    case fieldNameConflict(String)
}
