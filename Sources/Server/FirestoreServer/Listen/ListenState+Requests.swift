// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreSemantics
import FirestoreWire

/// The peer's requests (LS-1 … LS-9).
extension ListenState {
    mutating func receive(_ request: ListenRequest) {
        guard equalUTF8(request.database.documentsPrefix, database.documentsPrefix) else {
            return fail(
                RPCStatus(
                    .invalidArgument,
                    "this stream listens to \(database.documentsPrefix), not to \(request.database.documentsPrefix)"))
        }
        switch request.change {
        case .add(let target): add(target)
        case .remove(let id):
            // A target that is not there has ended meanwhile (LS-8).
            if let number = numbers[id] { remove(number, because: nil) }
        }
    }

    /// Answers a request that cannot be fulfilled.
    mutating func refuse(_ request: ListenRequest, _ error: FirestoreError) {
        guard case .add(let target) = request.change else { return }
        reply(.remove, target.targetID == 0 ? assignID() : target.targetID, because: error)
    }

    /// Adds a target under the id chosen by the peer, or under one assigned by the stream (LS-3).
    private mutating func add(_ request: ListenTargetRequest) {
        if request.targetID < 0 {
            return fail(RPCStatus(.invalidArgument, "target ids are positive, not \(request.targetID)"))
        }
        if request.targetID > 0, hasAssignedIDs {
            return fail(
                RPCStatus(
                    .invalidArgument,
                    "the server has given ids to targets of this stream: \(request.targetID) cannot be chosen"))
        }
        if let number = numbers[request.targetID] {
            // A client that is notified of a removed target stops using it, so both are removed.
            return remove(
                number,
                because: FirestoreError(.alreadyExists, "target id \(request.targetID) was in use; both targets have been removed"))
        }
        let id = request.targetID == 0 ? assignID() : request.targetID
        do throws(FirestoreError) {
            let watched = try watched(request)
            admit(id, watched, isOnce: request.once, start: try start(of: request))
        } catch {
            reply(.remove, id, because: error)
        }
    }

    private func watched(_ request: ListenTargetRequest) throws(FirestoreError) -> [WatchTarget] {
        guard targets.count < limits.targets else {
            throw FirestoreError(
                .resourceExhausted, "a stream has at most \(limits.targets) targets; remove some or open another stream")
        }
        switch try request.target.get() {
        case .query(let query):
            try QueryCheck.checkListenable(query, database: database)
            return [.query(query)]
        case .documents(let keys):
            var seen: Set<DocumentKey> = []
            let keys = keys.filter { seen.insert($0).inserted }
            guard !keys.isEmpty else { throw .invalidArgument("a target of documents names at least one") }
            guard watches.count + keys.count <= limits.watches else {
                throw FirestoreError(
                    .resourceExhausted,
                    "the targets of a stream name at most \(limits.watches) documents; open another stream")
            }
            return keys.map { .document($0) }
        }
    }

    /// The state that the peer says it knows (LS-4, LS-5, LS-7).
    private func start(of request: ListenTargetRequest) throws(FirestoreError) -> ListenTargetStart {
        let wantsKeys = request.expectedCount != nil
        switch request.start {
        case .beginning: return .nothing
        case .resumeToken(let bytes):
            guard let token = ListenToken(bytes) else {
                throw .invalidArgument("the resume token was not issued by this server")
            }
            // The peer knows a state of another history, whatever its time: it receives everything again.
            if let history, !history.includes(token.history, run: token.run, at: token.time) { return .unclear }
            // Ids of other clients are unrelated, but a token comes back with the id it was issued for.
            guard let laggard = token.laggards[request.targetID] else {
                return .known(WatchResumption(time: token.time, wantsKeys: wantsKeys, history: token.history, run: token.run))
            }
            guard let laggard else { return .unclear }
            return .known(WatchResumption(time: laggard, wantsKeys: wantsKeys, history: token.history, run: token.run))
        case .readTime(let time):
            guard time.isValid, time.microsecondsSince1970 >= 0 else {
                throw .invalidArgument("the read time of a target lies outside the range of timestamps")
            }
            return .known(WatchResumption(time: DocumentVersion(microseconds: time.microsecondsSince1970), wantsKeys: wantsKeys))
        }
    }
}
