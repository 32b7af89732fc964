@_exported public import class FirebaseCore.Timestamp
@_exported public import class FirestoreCoding.FirebaseDataDecoder
@_exported public import class FirestoreCoding.FirebaseDataEncoder
