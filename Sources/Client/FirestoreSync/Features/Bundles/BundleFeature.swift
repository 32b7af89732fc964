// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore

/// Bundles: documents and results of queries that are loaded into the cache (SY-14, SY-138).
final class BundleFeature: SyncFeature {
    static let tables = """
        CREATE TABLE bundles(
            id BLOB PRIMARY KEY NOT NULL,
            create_time INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE named_queries(
            name BLOB PRIMARY KEY NOT NULL,
            query BLOB NOT NULL,
            read_time INTEGER NOT NULL) WITHOUT ROWID;

        """

    /// The result of a named query that another process has found in a bundle.
    static let offer: Int64 = -5

    private weak var engine: SyncEngine?

    func attach(to engine: SyncEngine) { self.engine = engine }

    func answer(_ request: StreamRequest) throws(FirestoreError) -> Bool {
        guard let engine, request.kind == Self.offer else { return false }
        defer { withExtendedLifetime(request) {} }
        var query: NamedQuery?
        do throws(FirestoreError) {
            query = try NamedQuery(JSONNode(try JSON(request.content.buffer)), in: engine.store.databaseID)
        } catch {
            engine.settings.log("a query of a bundle that another process has loaded cannot be read: \(error)")
        }
        try engine.store.takeOffer(
            query.map { ClientTarget.query($0.query).syncTarget }, readTime: query?.readTime ?? .none, from: request.holder)
        return true
    }
}
