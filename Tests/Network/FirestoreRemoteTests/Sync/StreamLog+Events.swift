// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import FirestoreWire
import TestSupport

typealias ListenLog = StreamLog<ListenResponse>
typealias WriteLog = StreamLog<WriteResponse>

extension StreamLog<ListenResponse> {
    func receive(_ event: ListenStreamEvent) {
        switch event {
        case .response(let response): note(response)
        case .ended(let error): noteEnd(error)
        }
    }

    private var targetChanges: [TargetChange] {
        responses.compactMap { response in
            if case .targetChange(let change) = response { change } else { nil }
        }
    }

    /// The paths of the documents that were sent, in order.
    var changed: [String] {
        responses.compactMap { response in
            if case .documentChange(_, let document, _, _) = response { document.key.path } else { nil }
        }
    }

    var filters: [ExistenceFilter] {
        responses.compactMap { response in
            if case .filter(let filter) = response { filter } else { nil }
        }
    }

    func isCurrent(_ target: Int32) -> Bool { targetChanges.contains { $0.kind == .current && $0.targets == [target] } }
    func isRemoved(_ target: Int32) -> Bool { targetChanges.contains { $0.kind == .remove && $0.targets == [target] } }
    /// The number of global snapshots.
    var snapshots: Int { targetChanges.count { $0.kind == .noChange && $0.targets.isEmpty && $0.readTime != nil } }
    var token: ByteSlice? { targetChanges.last { !$0.resumeToken.isEmpty }?.resumeToken }
}

extension StreamLog<WriteResponse> {
    func receive(_ event: WriteStreamEvent) {
        switch event {
        case .response(let response): note(response)
        case .ended(let error): noteEnd(error)
        }
    }
}

extension SyncTransport {
    func listen(_ log: ListenLog) -> any ListenLink { openListen { log.receive($0) } }
    func write(_ log: WriteLog) -> any WriteLink { openWrite { log.receive($0) } }
}

extension ListenRequest {
    static func add(
        _ query: StructuredQuery, _ id: Int32, from start: ListenTargetRequest.Start = .beginning, expecting count: Int? = nil,
        labels: [(name: String, value: String)] = [], of database: DatabaseID = RemoteFixture.database
    ) -> ListenRequest {
        ListenRequest(
            database: database,
            change: .add(ListenTargetRequest(target: .success(.query(query)), targetID: id, start: start, expectedCount: count)), labels: labels)
    }

    static func remove(_ id: Int32) -> ListenRequest {
        ListenRequest(database: RemoteFixture.database, change: .remove(targetID: id))
    }
}

extension WriteRequest {
    static let handshake = WriteRequest(database: RemoteFixture.database)

    static func batch(_ token: ByteSlice, _ writes: Write...) -> WriteRequest {
        WriteRequest(database: RemoteFixture.database, streamToken: token, writes: writes)
    }
}
