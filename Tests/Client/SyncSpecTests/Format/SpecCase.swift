// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync

/// A file of scenarios. Its cases are decoded one by one, so that an unknown form fails one case only.
struct SpecFile: Sendable {
    let name: String
    let cases: [SpecSource]

    init(_ name: String, _ text: some Sequence<UInt8>) throws {
        self.name = name
        cases = try JSONNode(try JSON(text)).entries().map { SpecSource(name: $0.name, json: $0.node.json) }
    }
}

/// A case as written.
struct SpecSource: Sendable {
    let name: String
    var json: JSON

    /// Known before anything else is, because they decide whether the case runs at all.
    var tags: [String] { (try? json["tags"].map { try JSONNode($0, place: "tags").strings() }) ?? [] }

    var comment: String? { if case .string(let text)? = json["comment"] { text } else { nil } }
}

/// A decoded case (SY-202).
struct SpecCase {
    let name: String
    let tags: [String]
    let configuration: SpecConfiguration
    let steps: [SpecStep]

    static let knownTags: Set<String> = [
        "multi-client", "eager-gc", "durable-persistence", "no-ios", "no-android", "no-web", "benchmark", "exclusive",
        "no-pipeline-conversion",
    ]

    init(_ source: SpecSource) throws {
        self = try SpecMembers.read(JSONNode(source.json)) { try SpecCase(source.name, &$0) }
    }

    private init(_ name: String, _ members: inout SpecMembers) throws {
        self.name = name
        _ = try members.take("describeName")?.string()
        _ = try members.take("itName")?.string()
        _ = try members.take("comment")?.string()
        let tags = members.take("tags")
        self.tags = try tags?.strings() ?? []
        for tag in self.tags where !Self.knownTags.contains(tag) {
            throw SpecFailure("the tag \"\(tag)\" is not known")
        }
        configuration = try SpecMembers.read(try members.require("config")) { try SpecConfiguration(&$0) }
        steps = try members.require("steps").elements().map { try SpecStep($0) }
        guard !steps.isEmpty else { throw SpecFailure("a case without steps tests nothing") }
    }
}

/// SY-203. Unknown members are ignored, as other clients have settings of their own.
struct SpecConfiguration {
    let clientCount: Int
    let collectsEagerlyInMemory: Bool
    /// nil: not limited.
    let concurrentLimboResolutions: Int?

    init(_ members: inout SpecMembers) throws {
        clientCount = try members.take("numClients")?.count() ?? 1
        collectsEagerlyInMemory = try members.take("useEagerGCForMemory")?.boolean() ?? true
        let limit = members.take("maxConcurrentLimboResolutions")
        concurrentLimboResolutions = try limit?.count()
        if concurrentLimboResolutions == 0 { throw SpecFailure("maxConcurrentLimboResolutions must be at least 1") }
        members.ignoreRest()
    }
}

/// One step: an action, and what has to be observed after it (SY-220).
struct SpecStep {
    let json: JSON
    let action: SpecAction
    let clientIndex: Int
    let events: [ExpectedEvent]
    let state: ExpectedState
    let snapshotsInSyncCount: Int
    let pendingWritesCount: Int

    init(_ node: JSONNode) throws {
        self = try SpecMembers.read(node) { try SpecStep(node, &$0) }
    }

    private init(_ node: JSONNode, _ members: inout SpecMembers) throws {
        json = node.json
        clientIndex = try members.take("clientIndex")?.count() ?? 0
        events = try members.take("expectedSnapshotEvents")?.elements().map { try ExpectedEvent($0) } ?? []
        state = try members.take("expectedState").map { try ExpectedState($0) } ?? ExpectedState()
        snapshotsInSyncCount = try members.take("expectedSnapshotsInSyncEvents")?.count() ?? 0
        pendingWritesCount = try members.take("expectedWaitForPendingWritesEvents")?.count() ?? 0
        let names = members.names
        guard names.count == 1, let value = members.take(names[0]) else {
            throw node.failure("a step has one action, but this one has \(names.count): \(names.joined(separator: ", "))")
        }
        action = try SpecAction(names[0], value)
    }
}
