// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire
import HearthBase

/// What a step does (SY-220, SY-221).
enum SpecAction {
    enum Timers: Equatable {
        case all
        case upTo(SyncTimer)
        /// Work that only other clients have.
        case none
    }

    case listen(TargetID, ClientTarget, SyncListener.Options)
    case unlisten(ClientTarget)
    case write(Write)
    case addSnapshotsInSyncListener
    case removeSnapshotsInSyncListener
    case loadBundle(String)
    /// Frames of the Listen stream. The fake server forgets some targets before it sends them.
    case watch([ListenResponse], forgetting: [TargetID])
    case closeWatchStream(FirestoreError, runsBackoffTimer: Bool)
    case acknowledgeWrite(DocumentVersion, keepsInQueue: Bool)
    case failWrite(FirestoreError, keepsInQueue: Bool)
    case waitForPendingWrites
    case runTimer(Timers)
    case drainQueue
    case setNetworkEnabled(Bool)
    case changeUser(SyncUser)
    case restart
    case shutdown
    case clearPersistence
    case collectGarbage(threshold: Int64)
    case failStore(Set<StoreOperation>)
    /// An action of cases with several clients, which no client of ours takes.
    case ofSeveralClients(String)

    init(_ name: String, _ node: JSONNode) throws {
        switch name {
        case "userListen": self = try Self.listen(node)
        case "userUnlisten":
            let parts = try node.exactly(2)
            _ = try parts[0].targetID()
            self = .unlisten(try SpecValues.query(parts[1]))
        case "userSet": self = .write(try SpecValues.set(node))
        case "userPatch": self = .write(try SpecValues.patch(node))
        case "userDelete": self = .write(try SpecValues.deletion(of: node))
        case "loadBundle": self = .loadBundle(try node.string())
        case "watchAck", "watchCurrent", "watchReset", "watchRemove", "watchEntity", "watchFilter", "watchSnapshot":
            self = try Self.watch(name, node)
        case "watchStreamClose":
            self = try SpecMembers.read(node) {
                .closeWatchStream(
                    try $0.require("error").specError(), runsBackoffTimer: try $0.require("runBackoffTimer").boolean())
            }
        case "writeAck":
            self = try SpecMembers.read(node) {
                .acknowledgeWrite(
                    try $0.require("version").version(), keepsInQueue: try $0.take("keepInQueue")?.boolean() ?? false)
            }
        case "failWrite":
            self = try SpecMembers.read(node) {
                .failWrite(try $0.require("error").specError(), keepsInQueue: try $0.take("keepInQueue")?.boolean() ?? false)
            }
        case "runTimer": self = .runTimer(try Self.timers(node))
        case "enableNetwork": self = .setNetworkEnabled(try node.boolean())
        case "changeUser":
            if case .null = node.json { self = .changeUser(.unauthenticated) } else { self = .changeUser(SyncUser(uid: try node.string())) }
        case "triggerLruGC": self = .collectGarbage(threshold: Int64(try node.count()))
        case "failDatabase": self = .failStore(try Self.operations(node))
        case "applyClientState", "setIndexConfiguration": self = .ofSeveralClients(name)
        default: self = try Self.plain(name, node)
        }
    }

    private static func plain(_ name: String, _ node: JSONNode) throws -> SpecAction {
        let actions: [String: SpecAction] = [
            "addSnapshotsInSyncListener": .addSnapshotsInSyncListener,
            "removeSnapshotsInSyncListener": .removeSnapshotsInSyncListener, "waitForPendingWrites": .waitForPendingWrites,
            "drainQueue": .drainQueue, "restart": .restart, "shutdown": .shutdown, "clearPersistence": .clearPersistence,
        ]
        guard let action = actions[name] else { throw node.failure("there is no step \"\(name)\"") }
        try node.isTrue()
        return action
    }

    private static func listen(_ node: JSONNode) throws -> SpecAction {
        try SpecMembers.read(node) { members in
            var options = SyncListener.Options(includeMetadataChanges: true)
            if let node = members.take("options") {
                try SpecMembers.read(node) { members in
                    options.includeMetadataChanges = try members.take("includeMetadataChanges")?.boolean() ?? true
                    options.waitsForSync = try members.take("waitForSyncWhenOnline")?.boolean() ?? false
                    switch try members.take("source")?.string() {
                    case nil, "default": options.source = .default
                    case "cache": options.source = .cache
                    default: throw node.failure("a listener has the source \"cache\" or \"default\"")
                    }
                }
            }
            return .listen(
                try members.require("targetId").targetID(), try SpecValues.query(try members.require("query")), options)
        }
    }

    private static func timers(_ node: JSONNode) throws -> Timers {
        switch try node.string() {
        case "all": return .all
        case "listen_stream_idle": return .upTo(.listenIdle)
        case "listen_stream_connection_backoff": return .upTo(.listenBackoff)
        case "write_stream_idle": return .upTo(.writeIdle)
        case "write_stream_connection_backoff": return .upTo(.writeBackoff)
        case "online_state_timeout": return .upTo(.onlineState)
        case "async_queue_retry": return .upTo(.storeRetry)
        case "client_metadata_refresh": return .none
        default: throw node.failure("there is no such timer")
        }
    }

    /// SY-232
    private static func operations(_ node: JSONNode) throws -> Set<StoreOperation> {
        if case .boolean(false) = node.json { return [] }
        var operations: Set<StoreOperation> = []
        for element in try node.elements() {
            let name = try element.string()
            // The lease of browser tabs, which a cache of one process does not have.
            if name == "updateClientMetadataAndTryBecomePrimary" { continue }
            guard let operation = StoreOperation(rawValue: name) else {
                throw element.failure("the cache has no transaction \"\(name)\"")
            }
            operations.insert(operation)
        }
        return operations
    }
}

/// Frames of the fake server.
extension SpecAction {
    private static func watch(_ name: String, _ node: JSONNode) throws -> SpecAction {
        switch name {
        case "watchAck": return frame(.targetChange(TargetChange(.add, targets: try node.targetIDs())))
        case "watchReset": return frame(.targetChange(TargetChange(.reset, targets: try node.targetIDs())))
        case "watchCurrent":
            let parts = try node.exactly(2)
            return frame(
                .targetChange(TargetChange(.current, targets: try parts[0].targetIDs(), resumeToken: try parts[1].token())))
        case "watchRemove":
            return try SpecMembers.read(node) { members in
                let targets = try members.require("targetIds").targetIDs()
                let cause = try members.take("cause")?.specError()
                return .watch(
                    [.targetChange(TargetChange(.remove, targets: targets, cause: cause))],
                    forgetting: cause == nil ? [] : targets)
            }
        case "watchSnapshot":
            return try SpecMembers.read(node) { members in
                let targets = try members.require("targetIds").targetIDs()
                let version = try members.require("version").version()
                let token = try members.take("resumeToken")?.token() ?? .empty
                return frame(.targetChange(TargetChange(.noChange, targets: targets, resumeToken: token, readTime: version)))
            }
        case "watchFilter": return frame(.filter(try SpecMembers.read(node) { try filter(&$0) }))
        default: return .watch(try SpecMembers.read(node) { try entities(&$0) }, forgetting: [])
        }
    }

    private static func frame(_ response: ListenResponse) -> SpecAction { .watch([response], forgetting: []) }

    private static func filter(_ members: inout SpecMembers) throws -> ExistenceFilter {
        let target = try members.require("targetIds").exactly(1)[0].targetID()
        let keys = try members.require("keys").elements().map { try SpecValues.key($0) }
        // A malformed filter is handed on; the client has to treat it as none. Text that is not base64 reaches no client as a filter.
        let names: BloomFilter? = try members.take("bloomFilter").flatMap { node in
            try SpecMembers.read(node) { members -> BloomFilter? in
                let hashCount = Int(try members.take("hashCount")?.wholeNumber() ?? 0)
                guard let bits = members.take("bits") else { return BloomFilter(bits: [], padding: 0, hashCount: hashCount) }
                return try SpecMembers.read(bits) { members in
                    let bitmap = try members.take("bitmap")?.string() ?? ""
                    let padding = Int(try members.take("padding")?.wholeNumber() ?? 0)
                    return Base64.decode(bitmap).map { BloomFilter(bits: $0, padding: padding, hashCount: hashCount) }
                }
            }
        }
        return ExistenceFilter(target: target, count: keys.count, names: names)
    }

    /// SY-221
    private static func entities(_ members: inout SpecMembers) throws -> [ListenResponse] {
        let targets = try members.take("targets")?.targetIDs() ?? []
        let removed = try members.take("removedTargets")?.targetIDs() ?? []
        if let key = members.take("key") {
            return [.documentRemove(SpecValues.database, try SpecValues.key(key), removedFrom: targets + removed, readTime: nil)]
        }
        let documents =
            if let node = members.take("doc") { [try SpecDocument(node)] } else {
                try members.require("docs").elements().map { try SpecDocument($0) }
            }
        return documents.map { document in
            guard let found = document.document else {
                return .documentDelete(
                    SpecValues.database, document.key, removedFrom: targets + removed, readTime: document.version)
            }
            return .documentChange(SpecValues.database, found, targets: targets, removedFrom: removed)
        }
    }
}
