// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Testing

@testable import FirestoreServer

let listenDatabase = DatabaseID(projectID: "test")

func at(_ time: Int64) -> DocumentVersion { DocumentVersion(microseconds: time) }

func document(_ path: String, at time: Int64 = 1, _ fields: (String, Value)...) -> Document {
    Document(key: DocumentKey(trusted: path), createTime: at(1), updateTime: at(time), fields: FieldBytes(FieldMap(fields)))
}

/// All of a collection.
func collection(_ path: String) -> StructuredQuery { StructuredQuery(scope: .collection(CollectionPath(trusted: path))) }

/// What happens to a stream, as tests write it down.
enum ListenEvent: Sendable {
    case add(Int32, ListenTargetRequest.Target = .query(collection("c")), ListenTargetRequest.Start = .beginning, once: Bool = false, expects: Int? = nil)
    case addWrong(Int32, FirestoreError.Code)
    case addElsewhere(Int32)
    case remove(Int32)
    /// A watch reports a whole state.
    case first(Int, at: Int64, [Document] = [], keys: [String]? = nil, basis: WatchBatch.Basis = .nothing)
    /// A watch reports what changed: documents that match, paths that do not, and their new states.
    case change(Int, at: Int64, [Document] = [], gone: [String] = [], departed: [Document] = [])
    case fail(Int, FirestoreError.Code)
    case round(Int64)
    case time(Int64)
    case noTime
    case tick
    /// The peer takes nothing more; and again.
    case full, room
    case halfClose, drain
    /// The database cannot be opened, and this target was asked for.
    case noDatabase(Int32)

    static func documents(_ paths: String...) -> ListenTargetRequest.Target {
        .documents(paths.map { DocumentKey(trusted: $0) })
    }
}

/// A stream whose every deed is written down in a line.
struct ListenStory {
    private var state: ListenState
    private var isWritable = true

    init(limits: ListenLimits = ListenLimits()) { state = ListenState(database: listenDatabase, limits: limits) }

    /// What the stream does about an event.
    mutating func tell(_ event: ListenEvent) -> [String] {
        switch event {
        case .add(let id, let target, let start, let once, let count):
            request(.add(ListenTargetRequest(target: .success(target), targetID: id, start: start, once: once, expectedCount: count)))
        case .addWrong(let id, let code):
            request(.add(ListenTargetRequest(target: .failure(FirestoreError(code, "wrong")), targetID: id)))
        case .addElsewhere(let id):
            state.receive(
                ListenRequest(
                    database: DatabaseID(projectID: "other"),
                    change: .add(ListenTargetRequest(target: .success(.query(collection("c"))), targetID: id))))
        case .remove(let id): request(.remove(targetID: id))
        case .first(let watch, let time, let documents, let keys, let basis):
            state.receive(
                WatchBatch(
                    readTime: at(time), basis: basis, changes: documents.map { .update($0) },
                    keys: keys?.map { DocumentKey(trusted: $0) }), from: watch)
        case .change(let watch, let time, let documents, let gone, let departed):
            let changes = documents.map { WatchBatch.Change.update($0) } + gone.map { .remove(DocumentKey(trusted: $0)) }
            state.receive(WatchBatch(readTime: at(time), basis: .known, changes: changes, departed: departed), from: watch)
        case .fail(let watch, let code): state.fail(watch, FirestoreError(code, "failed"))
        case .round(let time): state.roundEnded(at(time))
        case .time(let time): state.timeArrived(at(time))
        case .noTime: state.timeFailed(FirestoreError(.failedPrecondition, "closed"))
        case .tick: state.tick()
        case .full: isWritable = false
        case .room: isWritable = true
        case .halfClose: state.halfClosed()
        case .drain: state.drain()
        case .noDatabase(let id):
            let target = ListenTargetRequest(target: .success(.query(collection("c"))), targetID: id)
            state.refuse(ListenRequest(database: listenDatabase, change: .add(target)), FirestoreError(.permissionDenied, "closed"))
            state.endBehindReplies()
        }
        var lines: [String] = []
        while let action = state.next(isWritable: isWritable) { lines += Self.lines(action) }
        return lines
    }

    private mutating func request(_ change: ListenRequest.Change) {
        state.receive(ListenRequest(database: listenDatabase, change: change))
    }

    static func lines(_ action: ListenState.Action) -> [String] {
        switch action {
        case .watch(let id, let target, let from):
            let place = switch target {
            case .document(let key): key.path
            case .query(let query): query.scope.place
            }
            let start = from.map { " from \(($0.time ?? .none).microseconds)" + ($0.wantsKeys ? " with keys" : "") } ?? ""
            return ["watch \(id): \(place)\(start)"]
        case .cancel(let id): return ["cancel \(id)"]
        case .askTime: return ["time?"]
        case .send(let responses): return responses.map(line)
        case .finish(let status): return ["finish \(status.map { "\($0.code)" } ?? "ok")"]
        }
    }

    /// For which targets a token does not represent its time.
    private static func stand(of token: ListenToken) -> [String] {
        token.laggards.sorted { $0.key < $1.key }.map { id, time in "but \(id)" + (time.map { "@\($0.microseconds)" } ?? "") }
    }

    static func line(_ response: ListenResponse) -> String {
        func names(_ ids: [Int32]) -> String { ids.map { "\($0)" }.joined(separator: ",") }
        switch response {
        case .targetChange(let change):
            let kind = change.kind == .noChange && change.targets.isEmpty ? "SNAPSHOT" : "\(change.kind)".uppercased()
            let token = ListenToken(change.resumeToken)
            return ([kind] + [names(change.targets)].filter { !$0.isEmpty }
                + (change.readTime.map { ["@\($0.microseconds)"] } ?? [])
                + (token.map { [$0.time == change.readTime ? "+token" : "+other token"] + stand(of: $0) } ?? [])
                + (change.cause.map { ["\($0.code)"] } ?? [])).joined(separator: " ")
        case .documentChange(_, let document, let targets, let removed):
            return "\(document.key.path)@\(document.updateTime.microseconds)"
                + (targets.isEmpty ? "" : " in \(names(targets))") + (removed.isEmpty ? "" : " not in \(names(removed))")
        case .documentDelete(_, let key, let removed, let time):
            return "delete \(key.path) from \(names(removed))" + (time.map { " @\($0.microseconds)" } ?? "")
        case .documentRemove(_, let key, let removed, _): return "remove \(key.path) from \(names(removed))"
        case .filter(let filter):
            return "FILTER \(filter.target) =\(filter.count)" + (filter.names == nil ? "" : " with names")
        }
    }
}
