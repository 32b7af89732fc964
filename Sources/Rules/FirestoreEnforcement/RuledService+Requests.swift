// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules

/// Requests that a server makes to a database beside the methods that every service has.
extension RuledService {
    /// Whether the caller's requests are judged at present: not those of administrators, and none while everything is granted.
    package func judges(_ context: RequestContext) -> Bool { !context.isAdministrator && !enforcement.rules.isOpen }

    /// Proves that the rules grant a list, for a method that reads it in separate steps. Returns where to read it and with which
    /// options: these reads are not judged again.
    package func grant(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> (service: any DocumentService, options: ReadOptions) {
        (service, try await admit(query, options, context))
    }

    /// Documents as conditions read them, whose reads are not judged. For explaining decisions.
    package func documentsForRules(_ keys: [DocumentKey], at moment: ReadMoment) async throws(FirestoreError) -> LookupResponse {
        try await service.documents(keys, options: .acknowledged(moment), context: RequestContext(caller: .administrator))
    }

    /// The outcome of one of several reads.
    package enum Reading: Sendable {
        case read(Document?)
        case refused(FirestoreError)
        /// Its conditions need documents that cannot be read without waiting.
        case mustWait
    }

    /// Independent reads of any callers, whose deadlines were checked: read together, with what their conditions read, and each judged
    /// for itself. Returns nil if that has to wait.
    package func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [Reading]? {
        guard var context = reads.first?.context else { return [] }
        context.deadline = nil
        let keys = reads.map(\.key)
        guard let found = try service.documentsNow(keys, options: .acknowledged(), context: context) else { return nil }
        let version = enforcement.rules.current
        guard !version.isOpen else { return found.documents.map { .read($0) } }
        var readings = [Reading](repeating: .mustWait, count: reads.count)
        var open = Array(reads.indices)
        var sample = RuleEnforcement.Sample(keys, found.documents)
        var needed: [DocumentKey] = []
        var isNeeded: Set<DocumentKey> = []
        while true {
            let known = needed.count
            open = open.filter { index in
                let (reading, key) = reading(of: reads[index].key, reads[index].context, version, sample)
                if let reading { readings[index] = reading }
                if let key, isNeeded.insert(key).inserted { needed.append(key) }
                return reading == nil
            }
            // All once more, at one moment: documents can change between two rounds, and with them what the conditions read.
            guard needed.count > known, needed.count <= reads.count * RulesLimits.accessesPerRequest else { return readings }
            let wanted = open.map { keys[$0] } + needed
            guard let found = try service.documentsNow(wanted, options: .acknowledged(), context: context) else { return readings }
            sample = RuleEnforcement.Sample(wanted, found.documents)
        }
    }

    /// Returns the outcome of a read, or a document that is needed to decide it.
    private func reading(
        of key: DocumentKey, _ context: RequestContext, _ version: RulesInForce.Version, _ sample: RuleEnforcement.Sample
    ) -> (Reading?, needs: DocumentKey?) {
        guard !context.isAdministrator else { return (.read(sample[key] ?? nil), nil) }
        do throws(FirestoreError) {
            switch try enforcement.judge(.get([key]), by: version, for: context.caller, on: sample) {
            case .granted: return (.read(sample[key] ?? nil), nil)
            case .needs(let key): return (nil, key)
            }
        } catch {
            return (.refused(error), nil)
        }
    }
}
