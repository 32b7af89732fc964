// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Reads and writes export folders for the admin API. The server knows no formats of files; the process that starts it provides them,
/// and decides which places there are.
package protocol DocumentFolders: Sendable {
    /// The folder of a URI such as `gs://bucket/folder`. Throws for places that are not mapped, or lie outside.
    func folder(of uri: String) throws(FirestoreError) -> String

    /// A folder of this machine, named by its path. Throws for places that are not below one of those that are mapped.
    func folder(atPath path: String) throws(FirestoreError) -> String

    /// Writes documents as of one moment.
    func export(
        _ export: FolderExport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError)

    /// Writes the documents of a folder into a database. Documents that were written before an error stay.
    func importDocuments(
        _ plan: FolderImport, report: @escaping @Sendable (_ documents: Int, _ bytes: Int64?) -> Void
    ) async throws(FirestoreError)
}

package struct FolderExport: Sendable {
    package let service: any DocumentService
    package let database: DatabaseID
    package let context: RequestContext
    /// All documents, if it is empty.
    package let collectionIDs: [String]
    package let moment: ReadMoment
    package let folder: String

    package init(
        service: any DocumentService, database: DatabaseID, context: RequestContext, collectionIDs: [String], moment: ReadMoment,
        folder: String
    ) {
        self.service = service
        self.database = database
        self.context = context
        self.collectionIDs = collectionIDs
        self.moment = moment
        self.folder = folder
    }

    /// The export of another database of the same name, as it is.
    func reading(_ service: any DocumentService) -> FolderExport {
        FolderExport(
            service: service, database: database, context: context, collectionIDs: collectionIDs, moment: .latest, folder: folder)
    }
}

package struct FolderImport: Sendable {
    package let service: any DocumentService
    package let database: DatabaseID
    package let context: RequestContext
    /// All documents, if it is empty.
    package let collectionIDs: [String]
    package let folder: String
}
