// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a server asks of a database beside the methods that every service has.
extension RuledService {
    /// Whether the caller's requests are judged at present: not those of administrators, and none while everything is granted.
    package func judges(_ context: RequestContext) -> Bool { !context.isAdministrator && !enforcement.rules.isOpen }

    /// Proves that the rules grant a list, for a method that reads it in steps of its own. Returns where to read it and with which
    /// options: what is read there is not judged again.
    package func grant(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> (service: any DocumentService, options: ReadOptions) {
        (service, try await admit(query, options, context))
    }

    /// What became of one of several reads.
    package enum Reading: Sendable {
        case read(Document?)
        case refused(FirestoreError)
        /// Its conditions need documents that cannot be read without waiting.
        case mustWait
    }

    /// Independent reads of any callers, whose deadlines were checked: read together, and each judged for itself. Returns nil if that
    /// has to wait.
    package func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [Reading]? {
        guard var context = reads.first?.context else { return [] }
        context.deadline = nil
        guard let found = try service.documentsNow(reads.map(\.key), options: .acknowledged(), context: context) else { return nil }
        let version = enforcement.rules.current
        guard !version.isOpen else { return found.documents.map { .read($0) } }
        var readings: [Reading] = []
        readings.reserveCapacity(reads.count)
        for (read, document) in zip(reads, found.documents) {
            readings.append(reading(of: read.key, document, read.context, version))
        }
        return readings
    }

    private func reading(
        of key: DocumentKey, _ document: Document?, _ context: RequestContext, _ version: RulesInForce.Version
    ) -> Reading {
        guard !context.isAdministrator else { return .read(document) }
        do throws(FirestoreError) {
            switch try enforcement.judge(.get([key]), by: version, for: context.caller, on: [key: document]) {
            case .granted: return .read(document)
            case .needs:
                // Once more, together with what the conditions read.
                guard let found = try documentsNow([key], options: .acknowledged(), context: context) else { return .mustWait }
                return .read(found.documents[0])
            }
        } catch {
            return .refused(error)
        }
    }
}
