// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension RequestFacts {
    /// An operation on one document.
    convenience init(_ request: RulesRequest, _ method: RulesMethod, _ key: DocumentKey, before: Document?, _ outcome: Outcome = .none) {
        let database = request.database.databaseID
        self.init(
            method: method, database: database, caller: request.caller, time: request.time, isInTransaction: request.countsAsTransaction,
            path: key.path, place: .document(RequestPath(database: database, path: key.path)),
            resource: before.map { .map(.document(DocumentFacts(key: key, fields: $0.fields, database: database))) } ?? .null,
            outcome: outcome)
    }
}
