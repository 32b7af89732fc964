// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

extension Engine {
    static func memory(indexPolicy: IndexPolicy, limits: IndexLimits = IndexLimits()) throws(FirestoreError) -> Engine {
        try open(
            EngineConfiguration(
                location: EngineStores.place(), databaseID: testDatabase, indexPolicy: indexPolicy, indexLimits: limits))
    }

    static func file(_ path: String, indexPolicy: IndexPolicy, limits: IndexLimits) throws(FirestoreError) -> Engine {
        try open(
            EngineConfiguration(
                location: .file(path: path), durability: .relaxed, databaseID: testDatabase, indexPolicy: indexPolicy,
                indexLimits: limits))
    }

    /// Compares the entries of every index with what a build from nothing would make.
    func expectEntriesMatchDocuments(_ location: SourceLocation = #_sourceLocation) throws {
        try core.store.inspect { (view: any InspectableSnapshot) throws(FirestoreError) in
            for index in try view.catalog().indexes where index.isReady {
                var documents: [Document] = []
                let scope = QueryScope.collectionGroup(id: index.definition.collectionID, under: nil)
                try view.scan(scope, range: .all, descending: false) { row in
                    documents.append(row.document())
                    return .next
                }
                var expected: [String] = []
                let keys = IndexEntryKeys(index.definition)
                for document in documents {
                    let entries = keys.entries(of: document.key, fields: document.fields.view)
                    for key in entries.keys { expected.append("\(document.key) \(key) \(entries.kinds)") }
                }
                var found: [String] = []
                let isGroup = index.definition.scope == .collectionGroup
                for collection in isGroup ? [nil] : Set(documents.map(\.key.collection)).map(Optional.some) {
                    let ready = ReadyIndex(number: index.number, definition: index.definition)
                    let cursor = try view.entries(of: ready, in: collection, range: IndexRange(), descending: false)
                    while try cursor.next() {
                        let key = [UInt8](cursor.key)
                        let number = try collection.map { (path) throws(FirestoreError) in try view.number(of: path) ?? 0 } ?? 0
                        let kinds = try view.entry(key, of: index, in: number)?.kinds
                        found.append(try view.withDocument(cursor.document) { "\($0.key) \(key) \(kinds.map { "\($0)" } ?? "none")" })
                    }
                }
                #expect(found.sorted() == expected.sorted(), "\(index.definition)", sourceLocation: location)
                // Nothing stands where no document is.
                #expect(try view.extent(of: index.number).entries == expected.count, "\(index.definition)", sourceLocation: location)
            }
        }
    }

    func indexNames() async throws -> [String] { try await indexes().map(\.definition.description).sorted() }
}

extension IndexDefinition {
    /// `a`, `a desc`, `a array`
    init(_ collectionID: String, _ columns: String..., scope: Scope = .collection) {
        let fields = columns.map { column in
            let words = column.split(separator: " ").map(String.init)
            let mode: Field.Mode = words.last == "desc" ? .descending : words.last == "array" ? .arrayContains : .ascending
            return Field(FieldPathSegments(words[0]), mode)
        }
        self.init(collectionID: collectionID, scope: scope, fields: fields)
    }
}
