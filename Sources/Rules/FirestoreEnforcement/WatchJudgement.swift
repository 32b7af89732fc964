// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// The judgement of one step of a listener.
///
/// A batch is judged on the state at its moment, documents that conditions read included. A judgement without a batch is about now: all
/// documents are read together.
struct WatchJudgement: Sendable {
    private let watch: RuledWatch
    private let version: RulesInForce.Version
    private let caller: RuledWatch.Caller
    /// The batch to deliver.
    private(set) var batch: WatchBatch?
    /// The moment of the state; nil before the first read about now.
    private var moment: DocumentVersion?
    private var sample = RuleEnforcement.Sample()
    private(set) var basis: RuledWatch.Basis

    init(_ watch: RuledWatch, _ step: RuledWatch.Step) {
        self.watch = watch
        version = watch.enforcement.rules.current
        caller = watch.caller
        basis = RuledWatch.Basis(rules: version.number, caller: caller)
        guard case .batch(let batch, _) = step else { return }
        self.batch = batch
        moment = batch.readTime
        guard case .document(let key) = watch.target else { return }
        switch batch.changes.last {
        case .update(let document)?: sample.learn(document, of: key)
        case .remove?: sample.learn(nil, of: key)
        // Nothing has changed since the state that the caller resumed from, which has to be read.
        case nil: if batch.isReset { sample.learn(nil, of: key) }
        }
    }

    // MARK: Reading

    /// Judges with documents that are known or can be read immediately. Returns false if that is not enough; throws the denial.
    mutating func isJudgedNow() throws(FirestoreError) -> Bool {
        while let key = try missing() {
            guard try read(key) else { return false }
        }
        return true
    }

    /// Judges, and reads the documents that it needs.
    mutating func judge() async throws(FirestoreError) {
        while let key = try missing() {
            if try read(key) { continue }
            guard let moment else {
                let found = try await watch.service.documents([key], options: .acknowledged(), context: Self.reader)
                self.moment = found.readTime
                sample.learn(found.documents[0], of: key)
                continue
            }
            // The latest state serves the batches that wait behind this one, too.
            let latest = try await watch.service.documents([key], options: .acknowledged(), context: Self.reader)
            if take(latest.documents[0], of: key, readAt: latest.readTime) { continue }
            let past = try await watch.service.documents([key], options: .acknowledged(.past(moment)), context: Self.reader)
            sample.learn(past.documents[0], of: key)
        }
    }

    /// Rules do not apply to their own reads (SR-88), and the deadline of a call does not apply to its listener.
    private static var reader: RequestContext { RequestContext(caller: .administrator) }

    /// Uses a document that was read after the moment, if it was the same at the moment.
    private mutating func take(_ document: Document?, of key: DocumentKey, readAt time: DocumentVersion) -> Bool {
        watch.enforcement.documents.learn(document, of: key, at: time)
        // An existing document has been as it is since its last change.
        guard let moment, time >= moment, time == moment || document.map({ $0.updateTime <= moment }) == true else { return false }
        sample.learn(document, of: key)
        return true
    }

    /// Reads a document at the moment without waiting; false if that is not possible.
    private mutating func read(_ key: DocumentKey) throws(FirestoreError) -> Bool {
        let documents = watch.enforcement.documents
        if let moment, let known = documents.document(key, at: moment) {
            sample.learn(known, of: key)
            return true
        }
        guard batch != nil else {
            // All together, so that they are of one moment.
            let keys = sample.keys + [key]
            guard let found = try watch.service.documentsNow(keys, options: .acknowledged(), context: Self.reader) else { return false }
            moment = found.readTime
            sample = RuleEnforcement.Sample(keys, found.documents)
            return true
        }
        guard let found = try watch.service.documentsNow([key], options: .acknowledged(), context: Self.reader) else { return false }
        return take(found.documents[0], of: key, readAt: found.readTime)
    }

    // MARK: Judging

    /// A document that has to be read first; nil when everything is granted. Throws the denial.
    private mutating func missing() throws(FirestoreError) -> DocumentKey? {
        switch watch.target {
        case .document(let key): return try missing(for: .get([key]), on: sample)
        case .query(let query):
            if try !holds() {
                if let key = try missing(for: .list(query), on: sample) { return key }
            } else if let earlier = watch.basis {
                basis = earlier
            }
            return try withhold()
        }
    }

    private mutating func missing(
        for operation: RulesRequest.Operation, on sample: RuleEnforcement.Sample
    ) throws(FirestoreError) -> DocumentKey? {
        switch try watch.enforcement.judge(operation, by: version, for: caller.caller, on: sample) {
        case .needs(let key): return key
        case .granted(let decision):
            basis.usesTime = decision.usesTime
            basis.documents = [:]
            for key in decision.readDocuments { basis.documents[key] = (sample[key] ?? nil).version }
            return nil
        }
    }

    /// Whether the earlier judgement of the query still holds for the batch.
    private mutating func holds() throws(FirestoreError) -> Bool {
        guard batch != nil, let earlier = watch.basis, earlier.rules == version.number,
            earlier.caller.number == caller.number, !earlier.usesTime
        else { return false }
        for (key, version) in earlier.documents {
            if sample[key] == nil {
                guard try read(key) else { return false }
            }
            guard (sample[key] ?? nil).version == version else { return false }
        }
        return true
    }

    /// A document that has left the result is not covered by the proof of the query: it is shown only if the caller may get it.
    private mutating func withhold() throws(FirestoreError) -> DocumentKey? {
        guard let batch, !batch.departed.isEmpty, !version.isOpen else { return nil }
        var (shown, withheld): ([Document], [DocumentKey]) = ([], batch.withheld)
        for document in batch.departed {
            var sample = sample
            sample.learn(document, of: document.key)
            do throws(FirestoreError) {
                switch try watch.enforcement.judge(.get([document.key]), by: version, for: caller.caller, on: sample) {
                case .granted: shown.append(document)
                case .needs(let key): return key
                }
            } catch {
                guard error.code == .permissionDenied else { throw error }
                withheld.append(document.key)
            }
        }
        self.batch?.departed = shown
        self.batch?.withheld = withheld
        return nil
    }
}
