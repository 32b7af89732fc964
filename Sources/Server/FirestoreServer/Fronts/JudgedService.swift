// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEnforcement

/// What the methods of a server ask of a database: a service that judges its callers, or another one in front of that.
package protocol JudgedService: DocumentService {
    /// Whether the caller's requests are judged at present.
    func judges(_ context: RequestContext) -> Bool

    /// Proves that the rules grant a list. See `RuledService`.
    func grant(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> (service: any DocumentService, options: ReadOptions)

    /// Independent reads of any callers, each judged for itself. Returns nil if that has to wait.
    func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [RuledService.Reading]?

    /// Checks that a caller may have queries explained. Throws if not.
    func admitExplanation(_ context: RequestContext) throws(FirestoreError)

    /// The database without its rules, for what was granted in another way.
    var unjudged: any DocumentService { get }
}

extension RuledService: JudgedService {
    package var unjudged: any DocumentService { service }
}

/// Makes the services that stand in front of databases for the calls of clients, and for no others: administration, expiry, events,
/// archives and the console ask the databases themselves.
package protocol DatabaseFront: Sendable {
    func service(inFrontOf service: any JudgedService, of database: DatabaseID) -> any JudgedService
}
