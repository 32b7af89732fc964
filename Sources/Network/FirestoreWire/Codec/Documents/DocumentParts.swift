// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A `Document` message whose name has not been checked.
struct DocumentParts {
    var name = ByteSlice.empty
    /// Entries of `fields`, side by side: a part of the message if they are adjacent there, as with all known senders.
    private(set) var fields = ByteSlice.empty
    private var scattered: [UInt8] = []
    private var createTime = EmbeddedMessage()
    private var updateTime = EmbeddedMessage()

    init() {}

    init(_ bytes: ByteSlice) throws(FirestoreError) {
        defer { withExtendedLifetime(bytes) {} }
        var start: UnsafeRawPointer?
        var end = bytes.start
        var message = RawFields(bytes.buffer)
        while let raw = message.next() {
            let field = MessageField(raw: raw, owner: bytes.owner)
            switch raw.number {
            case 1: field.read(&name)
            case 2 where raw.kind == .bytes:
                if let first = start, raw.start != end {
                    scattered.append(contentsOf: UnsafeRawBufferPointer(start: first, count: end - first))
                    start = raw.start
                }
                if start == nil { start = raw.start }
                end = message.position
            case 3: createTime.merge(field)
            case 4: updateTime.merge(field)
            default: break
            }
        }
        guard !message.isMalformed else { throw .malformedMessage }
        guard let start else { return }
        if scattered.isEmpty {
            fields = ByteSlice(owner: bytes.owner, start: start, count: end - start)
        } else {
            scattered.append(contentsOf: UnsafeRawBufferPointer(start: start, count: end - start))
            fields = ByteSlice(scattered)
            scattered = []
        }
    }

    /// A document in an answer.
    func document(_ key: DocumentKey) throws(FirestoreError) -> Document {
        Document(
            key: key, createTime: try createTime.version ?? .none, updateTime: try updateTime.version ?? .none,
            fields: try FieldBytes(wire: fields, of: key))
    }

    /// A row of a pipeline's result: a document that may lack its name and its times, and whose fields may be what stored ones may not.
    func row() throws(FirestoreError) -> PipelineRow {
        let name = try String(wire: name)
        let rowFields: FieldBytes
        do {
            rowFields = try FieldRewriter.fields(fields, as: .row)
        } catch {
            throw error.error(in: name.utf8.isEmpty ? "a result of the pipeline" : name)
        }
        return PipelineRow(
            name: name.utf8.isEmpty ? nil : name, createTime: try createTime.version, updateTime: try updateTime.version,
            fields: rowFields)
    }

    /// Whether it has only a name: a missing document (DM-11).
    var isMissing: Bool { fields.isEmpty && !createTime.isPresent && !updateTime.isPresent }
}

extension Document {
    /// A document in an answer, and the database that its name says it is from.
    init(wire bytes: ByteSlice, database: inout DatabaseID) throws(FirestoreError) {
        let parts = try DocumentParts(bytes)
        self = try parts.document(try DocumentNames.key(parts.name, database: &database))
    }
}

extension ReverseWriter {
    mutating func document(_ number: Int, _ database: DatabaseID, _ document: Document) {
        let mark = count
        body(of: document, database)
        close(number, since: mark)
    }

    mutating func body(of document: Document, _ database: DatabaseID) {
        timestamp(4, document.updateTime.timestamp)
        timestamp(3, document.createTime.timestamp)
        raw(document.fields.bytes)
        documentName(1, database, document.key)
    }
}

extension Document {
    /// The approximate size of its message.
    func messageSize(in database: DatabaseID) -> Int {
        fields.bytes.count + key.path.utf8.count + database.projectID.utf8.count + database.databaseID.utf8.count + 96
    }
}
