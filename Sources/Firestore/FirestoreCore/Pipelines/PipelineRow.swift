// SPDX-License-Identifier: Apache-2.0

/// A row of a pipeline's result: fields, and what it still carries of the document it comes from.
///
/// A row may have what a stored document may not: arrays directly in arrays, deep nesting, empty keys.
package struct PipelineRow: Sendable, Hashable {
    /// The full resource name, `projects/P/databases/D/documents/…`; nil for a row without a document.
    package var name: String?
    package var createTime: DocumentVersion?
    package var updateTime: DocumentVersion?
    package var fields: FieldBytes

    package init(
        name: String? = nil, createTime: DocumentVersion? = nil, updateTime: DocumentVersion? = nil, fields: FieldBytes
    ) {
        self.name = name
        self.createTime = createTime
        self.updateTime = updateTime
        self.fields = fields
    }
}

/// Rows of a result, in order. All pages of a result are as of one moment.
package struct PipelinePage: Sendable {
    package var readTime: DocumentVersion
    package var rows: [PipelineRow]
    /// Whether the authority may have other rows.
    package var isFromCache: Bool

    package init(readTime: DocumentVersion, rows: [PipelineRow], isFromCache: Bool = false) {
        self.readTime = readTime
        self.rows = rows
        self.isFromCache = isFromCache
    }

    /// Of a pipeline that writes, whose only row this is: the number of documents that it has changed.
    package var documentsModified: Int { rows.reduce(0) { $0 + Int($1.fields.view[utf8: "documents_modified"]?.integer ?? 0) } }
}
