// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The form in which people write requests down: the body of `:executePipeline`.
extension ExecutePipelineRequest {
    /// Reads the body of a request, its `structuredPipeline` alone, or the `pipeline` in that.
    ///
    /// - Parameter database: The database that the request is about, whatever the body says.
    package init(body: JSON, of database: DatabaseID) throws(FirestoreError) {
        var json = body
        if json["stages"] != nil { json = .object([("pipeline", json)]) }
        if json["pipeline"] != nil { json = .object([("structuredPipeline", json)]) }
        guard case .object(let members) = json else { throw .invalidArgument("an object is expected") }
        let name = JSON.string("projects/\(database.projectID)/databases/\(database.databaseID)")
        let request = JSON.object([("database", name)] + members.filter { $0.name != "database" })
        try self.init(decoding: try FirestoreMethod.executePipeline.requestBytes(request))
    }

    /// The body of the request, without its database.
    package var body: JSON {
        get throws(FirestoreError) {
            guard case .object(let members) = try FirestoreMethod.executePipeline.requestJSON(ByteSlice(encoded())) else { return .null }
            return .object(members.filter { $0.name != "database" })
        }
    }
}
