// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules

extension RuledService {
    /// All or nothing: one document that the rules deny, and the request is denied. A read at an earlier moment, or in a
    /// transaction, is also judged at present: a right that was taken away is not regained by looking back.
    package func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        guard judges(context) else {
            // Rules may take effect before the documents are read.
            return try await underSteadyRules(context) { () async throws(FirestoreError) in
                guard !judges(context) else { return try await documents(keys, options: options, context: context) }
                return try await service.documents(keys, options: options, context: context)
            }
        }
        // Before a transaction reads: its commit depends on the reads, and its result would reveal a document to which the rules
        // do not grant the caller access.
        if options.moment != .latest {
            _ = try await judged(keys, options.atPresent, context, isInTransaction: options.isInTransaction)
        }
        do throws(FirestoreError) {
            return try await judged(keys, options, context, isInTransaction: options.isInTransaction)
        } catch {
            // Denied at the transaction's moment, after it was recorded. A transaction that has ended by itself needs no rollback.
            if error.code == .permissionDenied, case .transaction(let transaction) = options.moment {
                try? await service.rollback(transaction, context: context)
            }
            throw error
        }
    }

    /// Reads documents and judges them at the moment they were read.
    private func judged(
        _ keys: [DocumentKey], _ options: ReadOptions, _ context: RequestContext, isInTransaction: Bool
    ) async throws(FirestoreError) -> LookupResponse {
        try enforcement.denyUnspoken(.get(keys), by: enforcement.rules.current, for: context.caller)
        let found = try await service.documents(keys, options: options, context: context)
        let version = enforcement.rules.current
        var sample = RuleEnforcement.Sample(keys, found.documents)
        while case .needs(let key) = try enforcement.judge(
            .get(keys), by: version, for: context.caller, isInTransaction: isInTransaction, on: sample)
        {
            sample.learn(try await document(key, at: found.readTime, context), of: key)
        }
        return found
    }

    /// Documents that conditions read are read together with those that were asked for, at one moment.
    package func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        let version = enforcement.rules.current
        guard !context.isAdministrator, !version.isOpen else {
            return try service.documentsNow(keys, options: options, context: context)
        }
        try enforcement.denyUnspoken(.get(keys), by: version, for: context.caller)
        var wanted = keys
        // The documents can change between two rounds, and with them what the conditions read.
        while wanted.count <= keys.count + RulesLimits.accessesPerRequest {
            guard let found = try service.documentsNow(wanted, options: options, context: context) else { return nil }
            let sample = RuleEnforcement.Sample(wanted, found.documents)
            switch try enforcement.judge(
                .get(keys), by: version, for: context.caller, isInTransaction: options.isInTransaction, on: sample)
            {
            case .granted where wanted.count == keys.count: return found
            case .granted: return LookupResponse(readTime: found.readTime, documents: Array(found.documents.prefix(keys.count)))
            case .needs(let key): wanted.append(key)
            }
        }
        return nil
    }

    /// Proves that the rules grant a query, and returns the options to run it with: as of the moment that conditions have read at. What
    /// is read at an earlier moment, or in a transaction, must be granted at present, too.
    func admit(_ query: StructuredQuery, _ options: ReadOptions, _ context: RequestContext) async throws(FirestoreError) -> ReadOptions {
        guard judges(context) else { return options }
        return try await admit(.list(query), options, context)
    }

    /// As `admit(_:_:_:)` for queries, for any operation that only reads.
    func admit(
        _ operation: RulesRequest.Operation, _ options: ReadOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> ReadOptions {
        if options.moment != .latest {
            _ = try await prove(operation, options.atPresent, context, isInTransaction: options.isInTransaction)
        }
        return try await prove(operation, options, context, isInTransaction: options.isInTransaction)
    }

    private func prove(
        _ operation: RulesRequest.Operation, _ options: ReadOptions, _ context: RequestContext, isInTransaction: Bool
    ) async throws(FirestoreError) -> ReadOptions {
        let version = enforcement.rules.current
        var sample = RuleEnforcement.Sample()
        var moment: DocumentVersion?
        if case .pipeline(let reads) = operation, !reads.keys.isEmpty {
            try enforcement.denyUnspoken(operation, by: version, for: context.caller)
            try await learn(reads.keys, of: options, into: &sample, at: &moment, context)
        }
        while case .needs(let key) = try enforcement.judge(
            operation, by: version, for: context.caller, isInTransaction: isInTransaction, patience: Patience(context), on: sample)
        {
            try await learn([key], of: options, into: &sample, at: &moment, context)
        }
        guard case .latest = options.moment, let moment else { return options }
        return .acknowledged(.past(moment))
    }

    /// Reads documents for a proof, all at one moment: the first read of the latest state decides it.
    private func learn(
        _ keys: [DocumentKey], of options: ReadOptions, into sample: inout RuleEnforcement.Sample, at moment: inout DocumentVersion?,
        _ context: RequestContext
    ) async throws(FirestoreError) {
        var read = ReadOptions.acknowledged()
        switch options.moment {
        case .latest where moment == nil: read = options
        case .past(let time): moment = time
        case .transaction where moment == nil: moment = try await self.moment(of: options, context)
        case .latest, .transaction: break
        }
        if let moment { read = .acknowledged(.past(moment)) }
        let found = try await service.documents(keys, options: read, context: context.forRules)
        moment = moment ?? found.readTime
        for (key, document) in zip(keys, found.documents) { sample.learn(document, of: key) }
    }

    /// The moment at which a transaction reads.
    private func moment(of options: ReadOptions, _ context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        // A read of nothing gives it one, and is not recorded.
        try await service.documents([], options: options, context: context).readTime
    }

    /// A document that a condition reads.
    private func document(
        _ key: DocumentKey, at time: DocumentVersion, _ context: RequestContext
    ) async throws(FirestoreError) -> Document? {
        try await service.documents([key], options: .acknowledged(.past(time)), context: context.forRules).documents[0]
    }
}

extension ReadOptions {
    /// The options for a read of the latest state.
    fileprivate var atPresent: ReadOptions { ReadOptions(seesSubmitted: seesSubmitted) }

    var isInTransaction: Bool { if case .transaction = moment { true } else { false } }
}
