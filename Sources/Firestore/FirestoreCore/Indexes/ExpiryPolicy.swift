// SPDX-License-Identifier: Apache-2.0

/// The documents of a collection group expire at the time that one of their fields has, or a while later.
///
/// Only timestamps count. A document without the field, or with a value of another type in it, never expires.
package struct ExpiryPolicy: Sendable, Equatable {
    /// In seconds.
    package static let offsets: ClosedRange<Int64> = 0...Int64(Int32.max)

    package let collectionGroup: String
    /// At the top level of the document, or below maps.
    package let field: FieldPathSegments
    /// How long after the time in the field, in seconds.
    package let offset: Int64

    /// Checks names and offset.
    package init(collectionGroup: String, field: FieldPathSegments, offset: Duration = .zero) throws(FirestoreError) {
        try PathCheck.collectionID(collectionGroup)
        let place = "\(collectionGroup).\(field.quoted)"
        let isEvery = field.segments.count == 1 && field.segments[0].utf8.elementsEqual("*".utf8)
        guard !isEvery, !field.isDocumentID else {
            throw .invalidArgument("documents expire by one field of a collection group; \(field.segments[0]) is not one", at: place)
        }
        let (seconds, rest) = offset.components
        guard rest == 0, Self.offsets.contains(seconds) else {
            throw .invalidArgument("the offset of an expiry is 0 to \(Self.offsets.upperBound) whole seconds", at: place)
        }
        self.collectionGroup = collectionGroup
        self.field = field
        self.offset = seconds
    }

    package static func == (left: ExpiryPolicy, right: ExpiryPolicy) -> Bool {
        left.isOfGroup(right.collectionGroup) && left.field == right.field && left.offset == right.offset
    }

    package func isOfGroup(_ collectionGroup: String) -> Bool { equalUTF8(self.collectionGroup, collectionGroup) }

    /// The index by which expired documents are found.
    package var index: IndexDefinition {
        IndexDefinition(collectionID: collectionGroup, scope: .collectionGroup, fields: [IndexDefinition.Field(field)])
    }
}

extension ExpiryPolicy {
    /// Fails if a collection group has policies for two fields.
    package static func check(_ policies: [ExpiryPolicy]) throws(FirestoreError) {
        for (place, policy) in policies.enumerated() {
            if let rival = policies[..<place].first(where: { $0.isOfGroup(policy.collectionGroup) }) {
                throw .secondField(policy, beside: rival)
            }
        }
    }
}

extension FirestoreError {
    /// Of a policy for a second field of a collection group.
    package static func secondField(_ policy: ExpiryPolicy, beside rival: ExpiryPolicy) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "documents of a collection group expire by one field; remove the policy of \(rival.field.quoted) first",
            at: "\(policy.collectionGroup).\(policy.field.quoted)")
    }
}
