// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A row in flight between two stages, borrowed: valid during the call that passes it.
struct Row {
    /// The document that a row comes from.
    enum Origin {
        /// No document: a group, or a projection without the name.
        case none
        /// A document found in a scan, whose id is borrowed.
        case scanned(CollectionPath, id: UnsafeRawBufferPointer)
        case document(DocumentKey)
        /// A full resource name, perhaps of another database.
        case name(String)
    }

    var fields: FieldsView
    /// What holds the bytes of the fields; nil if the caller does.
    var owner: ByteStorage?
    var origin: Origin
    var createTime: DocumentVersion?
    var updateTime: DocumentVersion?

    init(
        fields: FieldsView, owner: ByteStorage? = nil, origin: Origin = .none, createTime: DocumentVersion? = nil,
        updateTime: DocumentVersion? = nil
    ) {
        self.fields = fields
        self.owner = owner
        self.origin = origin
        self.createTime = createTime
        self.updateTime = updateTime
    }

    init(_ fields: ByteSlice) { self.init(fields: FieldsView(fields.buffer), owner: fields.owner) }

    init(_ scanned: borrowing ScannedDocument) {
        self.init(
            fields: scanned.view, origin: .scanned(scanned.collection, id: scanned.id), createTime: scanned.createTime,
            updateTime: scanned.updateTime)
    }

    init(_ document: Document) {
        self.init(
            fields: document.fields.view, owner: document.fields.bytes.owner, origin: .document(document.key),
            createTime: document.createTime, updateTime: document.updateTime)
    }

    /// The full resource name; nil for a row without a document.
    func name(in database: DatabaseID) -> String? {
        switch origin {
        case .none: nil
        case .scanned(let collection, let id):
            database.name(of: DocumentKey(collection: collection, id: id))
        case .document(let key): database.name(of: key)
        case .name(let name): name
        }
    }

    /// With other fields, as the document that it is.
    func replacing(_ fields: ByteSlice) -> Row {
        var row = self
        row.fields = FieldsView(fields.buffer)
        row.owner = fields.owner
        return row
    }

    /// Copies the row out of the call.
    func stored(in database: DatabaseID) -> PipelineRow {
        PipelineRow(
            name: name(in: database), createTime: createTime, updateTime: updateTime,
            fields: FieldBytes(canonical: owner.map { ByteSlice(owner: $0, start: start, count: fields.bytes.count) } ?? copy))
    }

    private var start: UnsafeRawPointer { fields.bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)! }

    private var copy: ByteSlice { ByteSlice(copying: fields.bytes) }

    init(_ stored: PipelineRow) {
        self.init(
            fields: stored.fields.view, owner: stored.fields.bytes.owner, origin: stored.name.map { .name($0) } ?? .none,
            createTime: stored.createTime, updateTime: stored.updateTime)
    }
}

extension PipelineRow {
    /// The approximate memory it holds.
    var weight: Int { 96 + (name?.utf8.count ?? 0) + fields.bytes.count }
}
