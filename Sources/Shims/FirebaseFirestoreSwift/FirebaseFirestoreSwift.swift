@_exported public import FirebaseFirestore
