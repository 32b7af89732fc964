// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer

/// The export that `firebase emulators:export` asks for: a database, and a folder of this machine. In development only, and only into
/// places that the server has mapped.
struct EmulatorExport: Sendable {
    let admin: AdminService
    let isDevelopment: Bool

    func run(_ request: HTTPRequest, project: String, _ context: RequestContext) async throws(FirestoreError) {
        guard isDevelopment else {
            throw FirestoreError(
                .unimplemented, "exports of the emulator are made in development mode; use exportDocuments of the admin API")
        }
        let body = JSONNode(try JSON(request.body.array))
        let directory = try body.required("export_directory").string()
        let name = try body.required("export_name").string()
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument("the name of the export is that of a folder, without slashes", at: "export_name")
        }
        try await admin.exportDocuments(of: try database(body, project: project), toFolder: directory + "/" + name, context)
    }

    /// The database that the body names, or the default one of the project.
    private func database(_ body: JSONNode, project: String) throws(FirestoreError) -> DatabaseID {
        guard let name = try body.optional("database")?.string() else { return DatabaseID(projectID: project) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 4, parts[0] == "projects", parts[2] == "databases", equalUTF8(parts[1], project) else {
            throw .invalidArgument("a database of the project is expected: projects/\(project)/databases/{database}", at: "database")
        }
        return DatabaseID(projectID: project, databaseID: parts[3])
    }
}
