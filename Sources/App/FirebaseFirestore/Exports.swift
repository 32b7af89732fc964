// SPDX-License-Identifier: Apache-2.0
@_exported public import class FirebaseCore.Timestamp
@_exported public import class FirestoreCoding.FirebaseDataDecoder
@_exported public import class FirestoreCoding.FirebaseDataEncoder
