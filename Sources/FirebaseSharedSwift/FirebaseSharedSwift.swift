/// `FirebaseDataEncoder`, `FirebaseDataDecoder`, their strategies and the two structure-coding protocols.
///
/// They are declared beside the codec that obeys them; this module is the name by which user code imports them.
@_exported public import FirestoreCoding
