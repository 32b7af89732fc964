// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

@testable import FirestoreRules

extension RuleSet {
    /// Whether the statements for the list grant it when they see a document of its result.
    func grants(
        _ document: Document, of query: StructuredQuery, caller: RequestContext.Caller = .anonymous, reading documents: [Document] = []
    ) throws -> Bool {
        let request = RulesRequest(.list(query), caller: caller, database: database, time: now)
        var judge = Judge(self, request, state: MemoryState(documents), recorder: NoRecorder())
        let path = RequestPath(database: database.databaseID, path: document.key.path)
        let facts = RequestFacts(
            method: .list, database: database.databaseID, caller: caller, time: now, isInTransaction: false,
            path: document.key.collection.path, place: .document(path),
            resource: .map(.document(DocumentFacts(key: document.key, fields: document.fields, database: database.databaseID))),
            query: query)
        judge.beginList()
        return try judge.evaluate(facts)
    }
}
