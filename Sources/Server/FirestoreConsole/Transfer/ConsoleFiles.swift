// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// Reads and writes files of documents for the console. The server knows no formats of files; the process that starts it provides them.
package protocol ConsoleFiles: Sendable {
    /// Writes documents, as of one moment: each piece when there is capacity for it. Throws if it has to end before.
    func export(_ export: ConsoleExport, to write: @escaping @Sendable ([UInt8]) async throws(FirestoreError) -> Void)
        async throws(FirestoreError)

    /// Imports documents, and reports its progress. Returns when the import is over; documents imported before an error stay.
    func importDocuments(_ plan: ConsoleImport, report: @escaping @Sendable (ConsoleImport.Event) -> Void) async throws(FirestoreError)

    /// Throws if the parameters of an import cannot be used.
    func check(_ plan: ConsoleImport) throws(FirestoreError)
}

/// An export that a page asks for.
package struct ConsoleExport: Sendable {
    package let service: any DocumentService
    package let database: DatabaseID
    /// With everything below it; nil for all documents.
    package let collection: CollectionPath?
}

/// An import that a page asks for.
package struct ConsoleImport: Sendable {
    package let service: any DocumentService
    package let database: DatabaseID
    package let body: HTTPRequestBody
    /// The parameters of the URL: `format`, `collection`, `idField`, `types`.
    package let parameters: [String: String]
    /// The number of malformed documents that are left out before the import stops.
    package let badAllowed: Int
    /// Whether nothing is written.
    package let isRehearsal: Bool

    package enum Event: Sendable {
        case progress(documents: Int, bytes: Int64)
        /// The types of columns that were guessed.
        case types(String)
        case bad(FirestoreError)
        case done(documents: Int, bad: Int)
        case rehearsed(documents: Int, bad: Int, existing: Int, examples: [String])
    }
}
