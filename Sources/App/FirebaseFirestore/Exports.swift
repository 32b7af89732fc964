// SPDX-License-Identifier: Apache-2.0
@_exported public import class FirebaseCore.Timestamp
@_exported public import class FirestoreCoding.FirebaseDataDecoder
@_exported public import class FirestoreCoding.FirebaseDataEncoder
import FirestoreCore
// As on Apple systems, where the header of the framework imports it: files with `import FirebaseFirestore` alone use `Date` and `Data`.
@_exported public import Foundation

/// Foundation has one, too, which its export makes visible in every file of this module.
typealias SortOrder = FirestoreCore.SortOrder
