package import FirestoreCore
import GRDB

/// One consistent view of the database: what queries run over. Valid inside the closure that got it.
package final class ReadTransaction: DocumentSource {
    package let readTime: DocumentVersion
    let database: Database
    let errors: StoreErrors
    let rows: DocumentRows

    init(_ database: Database, directory: CollectionDirectory, errors: StoreErrors) throws(FirestoreError) {
        self.database = database
        self.errors = errors
        rows = DocumentRows(database: database, directory: directory, errors: errors)
        readTime = try Self.lastCommitTime(database, errors)
    }

    static func lastCommitTime(
        _ database: Database, _ errors: StoreErrors
    ) throws(FirestoreError) -> DocumentVersion {
        let statement = try SQLStatement("SELECT last_commit_time FROM meta", on: database, errors: errors)
        defer { statement.reset() }
        guard try statement.step() else { throw errors.damaged("the last commit time") }
        return DocumentVersion(microseconds: statement.integer(0))
    }

    package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let number = try rows.number(of: key.collection) else { return nil }
        return try rows.document(key, in: number, id: key.encodedID)
    }
}
