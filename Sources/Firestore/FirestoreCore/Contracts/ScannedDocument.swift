// SPDX-License-Identifier: Apache-2.0

/// A document during a scan: its bytes, borrowed.
package struct ScannedDocument: ~Copyable {
    package let collection: CollectionPath
    /// UTF-8 of the document id.
    package let id: UnsafeRawBufferPointer
    package let createTime: DocumentVersion
    package let updateTime: DocumentVersion
    /// When the database received this state. Equal to `updateTime` in the database that is the authority; in a cache, the time
    /// of the server's commit and the time of its arrival differ (decision 27).
    package let changeTime: DocumentVersion
    package let fields: UnsafeRawBufferPointer

    package init(
        collection: CollectionPath, id: UnsafeRawBufferPointer, createTime: DocumentVersion,
        updateTime: DocumentVersion, changeTime: DocumentVersion? = nil, fields: UnsafeRawBufferPointer
    ) {
        self.collection = collection
        self.id = id
        self.createTime = createTime
        self.updateTime = updateTime
        self.changeTime = changeTime ?? updateTime
        self.fields = fields
    }

    package var key: DocumentKey {
        DocumentKey(collection: collection, id: id)
    }

    package var view: FieldsView { FieldsView(fields) }

    /// Copies the document out of the scan.
    package func document() -> Document {
        Document(
            key: key, createTime: createTime, updateTime: updateTime,
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }
}
