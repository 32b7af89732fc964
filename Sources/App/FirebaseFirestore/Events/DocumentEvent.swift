// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore
import FirestoreEvents
import Foundation

/// A change of a document, for which a handler is called.
///
/// Beyond the Apple SDK.
public struct DocumentEvent: Sendable {
    /// What happened to the document.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case created, updated, deleted
    }

    /// Names the event. A handler that is called again for the same event finds the same id, also after a restart: use it to recognize
    /// what is done already. Handlers with different names get different ids for the same change.
    public let id: String
    public let kind: Kind
    /// When the change was committed.
    public let time: Timestamp
    /// The document that has changed.
    public let reference: DocumentReference
    /// The document before the change; nil if it was created.
    public let before: QueryDocumentSnapshot?
    /// The document after the change; nil if it was deleted.
    public let after: QueryDocumentSnapshot?
    /// The values of the parameters in the pattern: `["order": "1234"]` for `orders/{order}`.
    public let params: [String: String]
    /// The number of this call for this event, from 1 on. After a restart it begins anew.
    public let attempt: Int

    init(_ delivery: Delivery, firestore: Firestore) {
        let event = delivery.event
        func snapshot(_ document: Document?) -> QueryDocumentSnapshot? {
            document.map { QueryDocumentSnapshot(document: $0, firestore: firestore, metadata: .confirmed) }
        }
        id = event.id
        switch event.kind {
        case .created: kind = .created
        case .updated: kind = .updated
        case .deleted: kind = .deleted
        }
        let timestamp = event.time.timestamp
        time = Timestamp(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
        reference = DocumentReference(key: event.key, firestore: firestore)
        before = snapshot(event.before)
        after = snapshot(event.after)
        params = event.params
        attempt = delivery.attempt
    }

    /// Decodes the document after the change, or before it if it was deleted.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder to use.
    /// - Throws: The error of the decoder, which names the field.
    public func data<T: Decodable>(as type: T.Type, decoder: Firestore.Decoder = Firestore.Decoder()) throws -> T {
        guard let snapshot = after ?? before else {
            throw FirestoreError(.internal, "the event has no document", at: reference.path).publicError
        }
        return try snapshot.data(as: type, decoder: decoder)
    }
}
