// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// The database the driver's requests name, with documents of the `D1` workload.
enum ProbeDatabase {
    static let id = DatabaseID(projectID: "bench")
    static let collection = CollectionPath(trusted: "coll")
    static let context = RequestContext(caller: .administrator)

    static func open(path: String, durability: Durability = .full) throws -> Engine {
        try Engine.open(EngineConfiguration(location: .file(path: path), durability: durability, databaseID: id))
    }

    /// `doc0000007`
    static func key(_ number: Int) -> DocumentKey {
        let digits = String(number)
        return DocumentKey(collection: collection, id: "doc" + String(repeating: "0", count: 7 - digits.count) + digits)
    }

    /// Everything but `n`.
    static func entries(_ number: Int) -> [(String, Value)] {
        let strings = (0..<10).map { column in
            let text = "value-\(number)-\(column)-"
            return ("f\(column)", Value.string(text + String(repeating: "x", count: 90 - text.utf8.count)))
        }
        return strings + [("grp", .integer(Int64(number % 100))), ("flag", .boolean(number % 2 == 0))]
    }

    /// `n` is a shuffle of 0..<count: 7,919 is prime and divides no power of ten.
    static func document(_ number: Int, of count: Int) -> Write {
        let fields = FieldMap(entries(number) + [("n", .integer(Int64(number * 7_919 % count)))])
        return Write(key: key(number), operation: .set(FieldBytes(fields)))
    }

    static func write(_ count: Int, to engine: Engine) async throws {
        for start in stride(from: 0, to: count, by: 500) {
            let writes = (start..<min(start + 500, count)).map { document($0, of: count) }
            _ = try await engine.commit(writes, context: context)
        }
    }

    /// Makes a database, and the indexes of the questions that the driver will ask.
    static func fill(path: String, documents count: Int) async throws {
        let engine = try open(path: path, durability: .relaxed)
        try await write(count, to: engine)
        let group = QueryFilter.field(FieldPathSegments("grp"), .equal, ValueBytes(.integer(7)))
        let query = StructuredQuery(
            scope: .collection(collection), filter: group, orders: [SortOrder(path: FieldPathSegments("n"))], limit: 100)
        _ = try await engine.run(query, options: .acknowledged(), context: context)
        try await engine.indexesSettled()
        await engine.shutdown()
    }
}
