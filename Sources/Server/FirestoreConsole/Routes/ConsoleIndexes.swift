// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreGateway
package import FirestoreRPC
import FirestoreRules
package import FirestoreServer

/// The indexes of a database: what there is, what queries have lacked; configuring and removing one (`/console/api/indexes`).
package final class ConsoleIndexes: Sendable {
    private let databases: DatabaseRegistry

    package init(databases: DatabaseRegistry) { self.databases = databases }

    package static let verbs = ["GET", "HEAD", "POST", "DELETE"]

    package func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        let method = exchange.request.method
        guard Self.verbs.contains(method) else { throw .notAllowed(exchange.request, verbs: Self.verbs) }
        let json = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let database = try ConsoleQuestion.database(exchange)
            // The database stays open while the service is held.
            let service = try await databases.openExisting(database)
            guard let indexes = service.indexAdministration else {
                throw FirestoreError(.unimplemented, "the indexes of this database cannot be administered")
            }
            switch method {
            case "POST": return try await Self.add(try Self.definition(exchange), to: indexes)
            case "DELETE": return try await Self.remove(try Self.definition(exchange), from: indexes)
            default: return try await Self.list(indexes)
            }
        }
        exchange.respond(json: json.bytes())
    }

    // MARK: Reading

    private static func list(_ indexes: any IndexAdministration) async throws(FirestoreError) -> JSON {
        let known = try await indexes.indexes()
        let needed = indexes.neededIndexes().filter { definition in
            !known.contains { $0.definition == definition || $0.definition == definition.reversed }
        }
        return .object([
            ("policy", .string(indexes.indexPolicy.rawValue)), ("indexes", .array(known.map(Self.json))),
            ("needed", .array(needed.map(IndexConfigurationEntry.whole))),
        ])
    }

    private static func json(_ index: IndexStatus) -> JSON {
        var members: [(name: String, value: JSON)] = [
            ("index", IndexConfigurationEntry.whole(index.definition)), ("state", .string(index.state == .ready ? "READY" : "BUILDING")),
            ("progress", .number(Self.fraction(index.progress))), ("configured", .boolean(index.isConfigured)),
            ("entries", .number(index.entries)), ("bytes", .number(index.bytes)),
        ]
        if index.lastUsed != .none { members.append(("lastUsed", .string(index.lastUsed.timestamp.text))) }
        return .object(members)
    }

    /// With three digits: `0.25`, `1`.
    private static func fraction(_ value: Double) -> String {
        let thousandths = Int((min(max(value, 0), 1) * 1_000).rounded(.down))
        return thousandths == 1_000 ? "1" : thousandths == 0 ? "0" : "\(Double(thousandths) / 1_000)"
    }

    /// `{"index": {…}}`, an entry of `indexes` in `firestore.indexes.json`, also of a single field.
    private static func definition(_ exchange: any HTTPExchange) throws(FirestoreError) -> IndexDefinition {
        let index = try ConsoleQuestion.body(exchange).required("index")
        let configuration = try IndexConfiguration(json: JSON.object([("indexes", .array([index.json]))]).bytes())
        guard let definition = configuration.definitions.first else {
            throw .invalidArgument("the index has no fields of its own; vector searches need none", at: "index")
        }
        return definition
    }

    // MARK: Changing

    // One index at a time, as in the admin API: the engine makes each change in one step, so that no other one gets lost.

    private static func add(_ definition: IndexDefinition, to indexes: any IndexAdministration) async throws(FirestoreError) -> JSON {
        // Read backwards, an index that is there already serves as well.
        let known = try await indexes.indexes()
        let reversed = known.contains { $0.definition == definition } ? nil : known.first { $0.definition == definition.reversed }
        do throws(FirestoreError) {
            _ = try await indexes.addIndex(reversed?.definition ?? definition)
        } catch {
            guard error.code == .alreadyExists else { throw error }
        }
        return .object([])
    }

    private static func remove(_ definition: IndexDefinition, from indexes: any IndexAdministration) async throws(FirestoreError) -> JSON {
        let known = try await indexes.indexes()
        guard let index = known.first(where: { $0.definition == definition || $0.definition == definition.reversed }) else {
            throw FirestoreError(.notFound, "there is no index \(definition)")
        }
        guard index.isConfigured else {
            throw FirestoreError(
                .failedPrecondition,
                "the index \(definition) was created automatically, and would be again; only configured indexes are removed here")
        }
        guard try await indexes.removeIndex(index.number) else { throw FirestoreError(.notFound, "there is no index \(definition)") }
        return .object([])
    }
}
