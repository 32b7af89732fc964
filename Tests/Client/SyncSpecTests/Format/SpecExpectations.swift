// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync

/// A snapshot, or the error that ends a listener (SY-241).
struct ExpectedEvent {
    let query: ClientTarget
    let errorCode: FirestoreError.Code?
    let isFromCache: Bool
    let hasPendingWrites: Bool
    let changes: [(kind: ViewChange.Kind, document: SpecDocument)]

    init(_ node: JSONNode) throws {
        self = try SpecMembers.read(node) { try ExpectedEvent(node, &$0) }
    }

    private init(_ node: JSONNode, _ members: inout SpecMembers) throws {
        query = try SpecValues.query(try members.require("query"))
        guard let code = FirestoreError.Code(rawValue: try members.take("errorCode")?.count() ?? 0) else {
            throw node.failure("there is no such error code")
        }
        errorCode = code == .ok ? nil : code
        let fromCache = try members.take("fromCache")?.boolean()
        let pending = try members.take("hasPendingWrites")?.boolean()
        guard errorCode != nil || fromCache != nil && pending != nil else {
            throw node.failure("fromCache and hasPendingWrites are missing")
        }
        isFromCache = fromCache ?? false
        hasPendingWrites = pending ?? false
        var changes: [(kind: ViewChange.Kind, document: SpecDocument)] = []
        for (name, kind) in [("added", ViewChange.Kind.added), ("modified", .modified), ("removed", .removed), ("metadata", .metadata)] {
            for document in try members.take(name)?.elements() ?? [] { changes.append((kind, try SpecDocument(document))) }
        }
        self.changes = changes
    }
}

/// What the client is expected to be like; nil is not stated (SY-242).
struct ExpectedState {
    var activeTargets: [TargetID: ExpectedTarget]?
    var activeLimboDocuments: Set<DocumentKey>?
    var enqueuedLimboDocuments: Set<DocumentKey>?
    var outstandingWriteCount: Int?
    var writeRequestCount: Int?
    var watchRequestCount: Int?
    var acknowledged: [DocumentKey] = []
    var rejected: [DocumentKey] = []
    var isPrimary: Bool?
    var isShutdown: Bool?
    var activeClientCount: Int?

    init() {}

    init(_ node: JSONNode) throws {
        self = try SpecMembers.read(node) { try ExpectedState(&$0) }
    }

    private init(_ members: inout SpecMembers) throws {
        if let node = members.take("activeTargets") {
            var targets: [TargetID: ExpectedTarget] = [:]
            for (name, node) in try node.entries() {
                guard let id = TargetID(name), String(id) == name else { throw node.failure("the id of a target is expected") }
                guard targets.updateValue(try ExpectedTarget(node), forKey: id) == nil else {
                    throw node.failure("the target occurs twice")
                }
            }
            activeTargets = targets
        }
        activeLimboDocuments = try members.take("activeLimboDocs").map(Self.keys)
        enqueuedLimboDocuments = try members.take("enqueuedLimboDocs").map(Self.keys)
        outstandingWriteCount = try members.take("numOutstandingWrites")?.count()
        writeRequestCount = try members.take("writeStreamRequestCount")?.count()
        watchRequestCount = try members.take("watchStreamRequestCount")?.count()
        if let node = members.take("userCallbacks") {
            (acknowledged, rejected) = try SpecMembers.read(node) { members in
                (
                    try members.take("acknowledgedDocs")?.elements().map { try SpecValues.key($0) } ?? [],
                    try members.take("rejectedDocs")?.elements().map { try SpecValues.key($0) } ?? []
                )
            }
        }
        isPrimary = try members.take("isPrimary")?.boolean()
        isShutdown = try members.take("isShutdown")?.boolean()
        activeClientCount = try members.take("numActiveClients")?.count()
    }

    private static func keys(_ node: JSONNode) throws -> Set<DocumentKey> {
        let keys = try node.elements().map { try SpecValues.key($0) }
        guard Set(keys).count == keys.count else { throw node.failure("a document occurs twice") }
        return Set(keys)
    }
}

/// A target that the fake server is expected to have.
struct ExpectedTarget {
    let target: SyncTarget
    let purpose: TargetPurpose
    let resumeToken: ByteSlice
    /// Where a target without a token starts; `.none` at the beginning.
    let readTime: DocumentVersion
    /// nil: not compared.
    let expectedCount: Int?

    private static let purposes: [String: TargetPurpose] = [
        "TargetPurposeListen": .listen, "TargetPurposeExistenceFilterMismatch": .existenceFilterMismatch,
        "TargetPurposeExistenceFilterMismatchBloom": .existenceFilterMismatchBloom,
        "TargetPurposeLimboResolution": .limboResolution,
    ]

    init(_ node: JSONNode) throws {
        self = try SpecMembers.read(node) { try ExpectedTarget(node, &$0) }
    }

    private init(_ node: JSONNode, _ members: inout SpecMembers) throws {
        let queries = try members.require("queries").elements().map { try SpecValues.query($0) }
        guard let first = queries.first else { throw node.failure("a target has a query") }
        target = SpecValues.target(of: first)
        let name = try members.take("targetPurpose")?.string() ?? "TargetPurposeListen"
        guard let purpose = Self.purposes[name] else { throw node.failure("there is no purpose \"\(name)\"") }
        self.purpose = purpose
        resumeToken = try members.take("resumeToken")?.token() ?? .empty
        readTime = try members.take("readTime")?.version() ?? .none
        expectedCount = try members.take("expectedCount")?.count()
    }
}
