// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One import, on its thread.
struct ImportRun {
    private let plan: DocumentImport
    private var input: any DocumentInput
    private let traffic: ImportTraffic
    private var batch = ImportBatch()
    private var bad = 0
    private var failuresInARow = 0

    init(_ plan: DocumentImport, _ input: any DocumentInput, _ traffic: ImportTraffic) {
        self.plan = plan
        self.input = input
        self.traffic = traffic
    }

    mutating func perform() -> ImportSummary {
        do throws(FirestoreError) {
            try sendEverything()
            return summary(nil)
        } catch {
            return summary(error)
        }
    }

    private func summary(_ failure: FirestoreError?) -> ImportSummary {
        ImportSummary(progress: progress, bad: bad, failure: failure)
    }

    private var progress: TransferProgress {
        TransferProgress(documents: traffic.documents, bytes: input.bytesRead, totalBytes: input.size)
    }

    /// Sends all documents. If the file cannot be read any further, the documents before that are still imported.
    private mutating func sendEverything() throws(FirestoreError) {
        var failure: FirestoreError?
        do throws(FirestoreError) { try readAll() } catch { failure = error }
        if let failure, traffic.hasGivenUp { throw failure }
        try sendBatch()
        try waitForRoom(toSend: nil)
        if let failure { throw failure }
    }

    private mutating func readAll() throws(FirestoreError) {
        while let item = try input.next() {
            if traffic.isCancelled { throw FirestoreError(.cancelled, "the import was interrupted", at: item.place.description) }
            let document: TransferredDocument
            do throws(FirestoreError) {
                document = try item.checked()
            } catch {
                try leaveOut(error)
                continue
            }
            try add(document, at: item.place)
        }
    }

    private mutating func leaveOut(_ error: FirestoreError) throws(FirestoreError) {
        guard bad < plan.badAllowed else { throw error }
        bad += 1
        plan.onBadDocument(error)
    }

    private mutating func add(_ document: TransferredDocument, at place: ImportPlace) throws(FirestoreError) {
        let weight = ImportBatch.weight(of: document)
        if batch.count >= plan.limits.documentsPerCommit || batch.weight + weight > plan.limits.bytesPerCommit { try sendBatch() }
        batch.append(document, at: place)
    }

    private mutating func sendBatch() throws(FirestoreError) {
        guard !batch.isEmpty else { return }
        try waitForRoom(toSend: batch.weight)
        traffic.send(batch, through: plan)
        batch = ImportBatch()
        plan.onProgress(progress)
    }

    /// Returns when there is room for a number of bytes, or, with nil, when everything is imported.
    private mutating func waitForRoom(toSend weight: Int?) throws(FirestoreError) {
        while true {
            switch traffic.next(toSend: weight) {
            case .proceed:
                failuresInARow = 0
                return
            case .wait: traffic.waitForSomething()
            case .failed(let error, let again, let areIn):
                guard error.mayPass, failuresInARow < plan.limits.retries else {
                    traffic.giveUp(areIn)
                    throw error
                }
                failuresInARow += 1
                plan.pause(Backoff.transfer.delay(afterFailures: failuresInARow))
                for batch in again { traffic.send(batch, through: plan) }
            }
        }
    }
}

extension FirestoreError {
    /// Whether the error is transient.
    var mayPass: Bool {
        switch code {
        case .unavailable, .aborted, .deadlineExceeded, .resourceExhausted, .internal, .unknown: true
        default: false
        }
    }
}
