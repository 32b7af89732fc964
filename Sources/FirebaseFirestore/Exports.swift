@_exported public import class FirebaseCore.Timestamp
