// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCoding

// Values of one field, whatever keys they ask other coders for.
extension GeoPoint: UnprobedType {}
extension Timestamp: UnprobedType {}
extension VectorValue: UnprobedType {}
extension FirestoreValue: UnprobedType {}
extension FirestoreFields: UnprobedType {}
extension DocumentReference: UnprobedType, MismatchWithoutDecodingError {}
