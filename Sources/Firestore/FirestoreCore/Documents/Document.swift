// SPDX-License-Identifier: Apache-2.0

/// A document as stored: its key, its times and its bytes.
package struct Document: Sendable, Equatable {
    package let key: DocumentKey
    package let createTime: DocumentVersion
    package let updateTime: DocumentVersion
    package let fields: FieldBytes

    @inlinable
    package init(
        key: DocumentKey, createTime: DocumentVersion, updateTime: DocumentVersion, fields: FieldBytes
    ) {
        self.key = key
        self.createTime = createTime
        self.updateTime = updateTime
        self.fields = fields
    }
}

/// A commit time: microseconds since 1970, strictly increasing per database (WR-18). Zero means "never".
package struct DocumentVersion: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }

    package static let none = DocumentVersion(microseconds: 0)

    package var timestamp: TimestampValue { TimestampValue(microsecondsSince1970: microseconds) }

    @inlinable
    package static func < (left: DocumentVersion, right: DocumentVersion) -> Bool {
        left.microseconds < right.microseconds
    }
}
