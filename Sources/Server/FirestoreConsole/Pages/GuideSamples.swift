// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreWire

/// The documents that the sections of the guide begin with.
package enum GuideSamples {
    /// The path of the method that `request(in:)` is for.
    package static let path = FirestoreMethod.batchWrite.path

    /// A BatchWrite request that creates those that do not exist: the writes of the others fail, each for itself.
    package static func request(in database: DatabaseID) throws(FirestoreError) -> ByteSlice {
        let root = "projects/\(database.projectID)/databases/\(database.databaseID)"
        let samples = PageFolder().bytes(of: GuideSources.samples) ?? []
        guard case .object(let documents) = try JSON(samples) else { throw FirestoreError(.internal, "the guide has no documents") }
        let writes: [JSON] = documents.map { path, fields in
            .object([
                ("update", .object([("name", .string("\(root)/documents/\(path)")), ("fields", named(fields, root))])),
                ("currentDocument", .object([("exists", .boolean(false))])),
            ])
        }
        return try FirestoreMethod.batchWrite.requestBytes(.object([("database", .string(root)), ("writes", .array(writes))]))
    }

    /// References of samples are relative to the database.
    private static func named(_ json: JSON, _ root: String) -> JSON {
        switch json {
        case .array(let items): return .array(items.map { named($0, root) })
        case .object(let members):
            return .object(
                members.map { name, value in
                    guard name == "referenceValue", case .string(let path) = value else { return (name, named(value, root)) }
                    return (name, .string("\(root)/documents/\(path)"))
                })
        default: return json
        }
    }
}
