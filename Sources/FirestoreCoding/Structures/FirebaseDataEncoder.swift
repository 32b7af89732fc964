/// Holds the strategies of `Firestore.Encoder`.
///
/// The original SDK's generic encoder goes by this name; here it is where the names of its strategies live.
public final class FirebaseDataEncoder: Sendable {
    private init() {}
}

/// Holds the strategies of `Firestore.Decoder`.
///
/// The original SDK's generic decoder goes by this name; here it is where the names of its strategies live.
public final class FirebaseDataDecoder: Sendable {
    private init() {}
}
