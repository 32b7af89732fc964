// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The outline of a request, read from its bytes: also of requests that are malformed.
package struct RequestOutline: Sendable, Hashable {
    /// `projects/P/databases/D`; empty if the request does not say.
    package private(set) var database = ""
    /// The document or the collection relative to the database, with several documents the first and the number, with a query its filter,
    /// with a pipeline its stages: `books/b1`, `books/b1 and 3 more`, `books where n >= …`, `books, where, sort`.
    package private(set) var path = ""
    /// Of a message of the Listen stream: the target that it adds or removes.
    package private(set) var target: (id: Int32, isAdded: Bool)?
    private let showsValues: Bool

    /// The number of bytes of a name that are shown, which suffices for nearly all.
    private static let nameBytes = 2_000
    private static let textBytes = 400

    /// - Parameter showsValues: Whether the filter of a query contains its values.
    package init(_ message: ByteSlice, of method: FirestoreMethod, showsValues: Bool = false) {
        self.showsValues = showsValues
        switch method {
        case .getDocument, .deleteDocument: path = name(Self.last(1, of: message))
        case .updateDocument: path = name(Self.last(1, of: Self.last(1, of: message)))
        case .listDocuments, .createDocument:
            path = Self.joined(name(Self.last(1, of: message)), Self.text(2, of: message))
            if method == .createDocument { path = Self.joined(path, Self.text(3, of: message)) }
        case .batchGetDocuments:
            readDatabase(message)
            setPaths(Self.all(2, of: message))
        case .commit, .batchWrite:
            readDatabase(message)
            setPaths(Self.all(2, of: message).map(Self.nameOfWrite))
        case .write:
            readDatabase(message)
            setPaths(Self.all(3, of: message).map(Self.nameOfWrite))
        case .runQuery, .partitionQuery: setQuery(parent: Self.last(1, of: message), Self.last(2, of: message))
        case .runAggregationQuery: setQuery(parent: Self.last(1, of: message), Self.last(1, of: Self.last(2, of: message)))
        case .listCollectionIDs: path = name(Self.last(1, of: message))
        case .beginTransaction, .rollback: readDatabase(message)
        case .executePipeline:
            readDatabase(message)
            setPipeline(Self.last(2, of: message))
        case .listen: setTarget(message)
        }
    }

    /// A request of which only the resource in its path is known.
    package init(resource: String, collectionID: String?) {
        showsValues = false
        path = Self.joined(name(ByteSlice(Array(resource.utf8))), collectionID ?? "")
    }

    package static func == (left: RequestOutline, right: RequestOutline) -> Bool {
        equalUTF8(left.database, right.database) && equalUTF8(left.path, right.path) && left.target?.id == right.target?.id
    }

    package func hash(into hasher: inout Hasher) {
        hashUTF8(database, into: &hasher)
        hashUTF8(path, into: &hasher)
    }

    // MARK: Names

    private mutating func readDatabase(_ message: ByteSlice) {
        let database = Self.text(1, of: message)
        if !database.utf8.isEmpty { self.database = database }
    }

    /// The path of a full name, whose database becomes that of the request unless it is known.
    private mutating func name(_ bytes: ByteSlice) -> String {
        let text = Self.text(bytes)
        let slash = UInt8(ascii: "/")
        let parts = text.utf8.split(separator: slash, maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count >= 4 else { return text }
        if database.utf8.isEmpty { database = String(text[..<parts[3].endIndex]) }
        return parts.count > 5 ? String(Substring(parts[5])) : ""
    }

    private mutating func setPaths(_ names: [ByteSlice]) {
        guard let first = names.first else { return }
        path = name(first)
        if names.count > 1 { path += " and \(names.count - 1) more" }
    }

    /// The name of the document that a write is about.
    private static func nameOfWrite(_ write: ByteSlice) -> ByteSlice {
        var found = ByteSlice.empty
        each(write) { field in
            guard let bytes = field.bytes else { return }
            switch field.number {
            case 1, 6: found = last(1, of: bytes)
            case 2, 5: found = bytes
            default: break
            }
        }
        return found
    }

    private static func joined(_ parent: String, _ id: String) -> String {
        parent.utf8.isEmpty ? id : id.utf8.isEmpty ? parent : parent + "/" + id
    }

    // MARK: Queries and targets

    private mutating func setQuery(parent: ByteSlice, _ query: ByteSlice) {
        let outline = QueryOutline(query, showsValues: showsValues)
        path = (outline.isGroup ? "group " : "") + Self.joined(name(parent), outline.collection) + outline.conditions
    }

    /// The source and the names of the stages behind it; with their values the whole text.
    private mutating func setPipeline(_ message: ByteSlice) {
        guard let pipeline = try? PipelineRequest(wire: message), let first = pipeline.stages.first else { return }
        if showsValues {
            let text = pipeline.stages.map(PipelineText.print).joined(separator: " ")
            path = text.utf8.count <= Self.textBytes ? text : String(text.prefix(Self.textBytes)) + "…"
        } else {
            path = ([pipeline.source ?? first.name] + pipeline.stages.dropFirst().map(\.name)).joined(separator: ", ")
        }
    }

    private mutating func setTarget(_ message: ByteSlice) {
        readDatabase(message)
        Self.each(message) { field in
            if field.number == 2, let added = field.bytes { add(added) }
            if field.number == 3, field.raw.kind == .varint { target = (Int32(truncatingIfNeeded: field.raw.bits), false) }
        }
    }

    private mutating func add(_ added: ByteSlice) {
        var id: Int32 = 0
        Self.each(added) { field in
            if field.number == 5 { field.read(&id) }
            guard let bytes = field.bytes else { return }
            if field.number == 2 { setQuery(parent: Self.last(1, of: bytes), Self.last(2, of: bytes)) }
            if field.number == 3 { setPaths(Self.all(2, of: bytes)) }
        }
        target = (id, true)
    }

    // MARK: Fields

    /// Calls `body` with each field, up to where the message is malformed.
    static func each(_ message: ByteSlice, _ body: (MessageField) -> Void) {
        var reader = MessageReader(message)
        while let field = try? reader.next() { body(field) }
    }

    /// The bytes of a field; of the last one, if there are several.
    static func last(_ number: UInt32, of message: ByteSlice) -> ByteSlice {
        var found = ByteSlice.empty
        each(message) { if $0.number == number, let bytes = $0.bytes { found = bytes } }
        return found
    }

    static func all(_ number: UInt32, of message: ByteSlice) -> [ByteSlice] {
        var found: [ByteSlice] = []
        each(message) { if $0.number == number, let bytes = $0.bytes { found.append(bytes) } }
        return found
    }

    static func text(_ number: UInt32, of message: ByteSlice) -> String { text(last(number, of: message)) }

    private static func text(_ bytes: ByteSlice) -> String {
        bytes.withUnsafeBytes { String(decoding: $0.prefix(nameBytes), as: UTF8.self) }
    }
}
