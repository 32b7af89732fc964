// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Copies of a case in each of which one expectation is false: a runner that accepts one of them does not look.
struct SpecMutations {
    struct Mutation {
        let what: String
        let json: JSON
    }

    private enum Place {
        case member(String)
        case element(Int)
    }

    private let source: JSON
    private(set) var all: [Mutation] = []

    // Where targets and limbo documents are not compared, because the client has no stream or does not run.
    private var hasNetwork = true
    private var isRunning = true
    private var isHeld = false

    init(_ source: SpecSource) {
        self.source = source.json
        for (index, step) in (source.json["steps"]?.elements ?? []).enumerated() {
            follow(step)
            mutate(step, [.member("steps"), .element(index)])
        }
    }

    private mutating func follow(_ step: JSON) {
        if let isEnabled = step["enableNetwork"]?.flag { hasNetwork = isEnabled }
        if step["shutdown"] != nil { isRunning = false }
        if step["watchStreamClose"]?["runBackoffTimer"]?.flag == false { isHeld = true }
        if step["restart"] != nil { (hasNetwork, isRunning, isHeld) = (true, true, false) }
    }

    // MARK: Places

    private mutating func add(_ what: String, _ place: [Place], _ change: (JSON?) -> JSON?) {
        guard let json = Self.changed(source, place[...], change) else { return }
        all.append(Mutation(what: "\(what) at \(place.map(Self.text).joined(separator: "."))", json: json))
    }

    private static func text(_ place: Place) -> String {
        switch place {
        case .member(let name): name
        case .element(let index): "\(index)"
        }
    }

    /// Missing objects on the way are made.
    private static func changed(_ json: JSON?, _ place: ArraySlice<Place>, _ change: (JSON?) -> JSON?) -> JSON? {
        guard let first = place.first else { return change(json) }
        switch first {
        case .member(let name):
            var members: [(name: String, value: JSON)] = []
            if case .object(let found)? = json { members = found }
            let index = members.firstIndex { $0.name == name }
            let value = changed(index.map { members[$0].value }, place.dropFirst(), change)
            switch (index, value) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
            return .object(members)
        case .element(let index):
            var elements = json?.elements ?? []
            if let value = changed(elements[index], place.dropFirst(), change) {
                elements[index] = value
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        }
    }

    private mutating func remove(_ what: String, _ place: [Place]) { add("\(what) removed", place) { _ in nil } }

    private mutating func increase(_ place: [Place], by difference: Int64 = 1) {
        add("a number changed", place) { .number(($0.flatMap { Int64($0.numberText) } ?? 0) + difference) }
    }

    private mutating func flip(_ place: [Place]) { add("a flag flipped", place) { .boolean(!($0?.flag ?? false)) } }

    private mutating func append(_ suffix: String, _ place: [Place]) { add("a text changed", place) { .string(($0?.text ?? "") + suffix) } }

    private mutating func changeQuery(_ place: [Place], _ query: JSON) {
        switch query {
        case .string: append("x", place)
        default: append("x", place + [.member(query["collectionGroup"] == nil ? "path" : "collectionGroup")])
        }
    }

    // MARK: Expectations

    private mutating func mutate(_ step: JSON, _ place: [Place]) {
        let events = step["expectedSnapshotEvents"]?.elements ?? []
        for (index, event) in events.enumerated() {
            mutate(event: event, place + [.member("expectedSnapshotEvents"), .element(index)])
        }
        if let event = events.first {
            add("an event twice", place + [.member("expectedSnapshotEvents")]) { .array(($0?.elements ?? []) + [event]) }
        }
        increase(place + [.member("expectedSnapshotsInSyncEvents")])
        increase(place + [.member("expectedWaitForPendingWritesEvents")])
        // A listener that cannot be started has no target.
        if step["userListen"] != nil, events.allSatisfy({ $0["errorCode"]?.numberText ?? "0" == "0" }) {
            increase(place + [.member("userListen"), .member("targetId")], by: 2)
        }
        mutate(state: step["expectedState"] ?? .object([]), place + [.member("expectedState")])
    }

    private mutating func mutate(event: JSON, _ place: [Place]) {
        remove("an event", place)
        if let query = event["query"] { changeQuery(place + [.member("query")], query) }
        increase(place + [.member("errorCode")])
        guard event["errorCode"]?.numberText ?? "0" == "0" else { return }
        flip(place + [.member("fromCache")])
        flip(place + [.member("hasPendingWrites")])
        let kinds = ["added", "modified", "removed", "metadata"]
        for (kind, other) in zip(kinds, kinds.dropFirst() + kinds.prefix(1)) {
            for (index, document) in (event[kind]?.elements ?? []).enumerated() {
                let documentPlace = place + [.member(kind), .element(index)]
                remove("a document", documentPlace)
                append("x", documentPlace + [.member("key")])
                increase(documentPlace + [.member("version")])
                add("a value changed", documentPlace + [.member("value")]) { value in
                    guard case .object(let members)? = value else { return .object([]) }
                    return .object(members + [(name: "added by the test", value: .boolean(true))])
                }
                flip(documentPlace + [.member("options"), .member("hasLocalMutations")])
                flip(documentPlace + [.member("options"), .member("hasCommittedMutations")])
                add("\(kind) becomes \(other)", place) { event in
                    let without = Self.changed(event, [.member(kind), .element(index)][...]) { _ in nil }
                    return Self.changed(without, [.member(other)][...]) { .array(($0?.elements ?? []) + [document]) }
                }
            }
        }
    }

    private mutating func mutate(state: JSON, _ place: [Place]) {
        for name in ["acknowledgedDocs", "rejectedDocs"] {
            let list = place + [.member("userCallbacks"), .member(name)]
            add("a completion added", list) { .array(($0?.elements ?? []) + [.string("made/up")]) }
            for (index, _) in (state["userCallbacks"]?[name]?.elements ?? []).enumerated() {
                append("x", list + [.element(index)])
                remove("a completion", list + [.element(index)])
            }
        }
        for name in ["numOutstandingWrites", "writeStreamRequestCount", "watchStreamRequestCount", "numActiveClients"]
        where state[name] != nil { increase(place + [.member(name)]) }
        for name in ["isPrimary", "isShutdown"] where state[name] != nil { flip(place + [.member(name)]) }
        guard isRunning else { return }
        for name in ["activeLimboDocs", "enqueuedLimboDocs"] where state[name] != nil {
            add("a limbo document added", place + [.member(name)]) { .array(($0?.elements ?? []) + [.string("made/up")]) }
            for (index, _) in (state[name]?.elements ?? []).enumerated() {
                append("x", place + [.member(name), .element(index)])
                remove("a limbo document", place + [.member(name), .element(index)])
            }
        }
        guard hasNetwork, !isHeld else { return }
        mutate(targets: state["activeTargets"], place + [.member("activeTargets")])
    }

    private mutating func mutate(targets: JSON?, _ place: [Place]) {
        guard case .object(let targets)? = targets else { return }
        for (id, target) in targets {
            let targetPlace = place + [.member(id)]
            remove("a target", targetPlace)
            add("the id of a target changed", place) { object in
                let without = Self.changed(object, [.member(id)][...]) { _ in nil }
                return Self.changed(without, [.member("1000002")][...]) { _ in target }
            }
            if let query = target["queries"]?.elements.first { changeQuery(targetPlace + [.member("queries"), .element(0)], query) }
            append("x", targetPlace + [.member("resumeToken")])
            if target["resumeToken"]?.text ?? "" == "" { increase(targetPlace + [.member("readTime")]) }
            if target["expectedCount"] != nil { increase(targetPlace + [.member("expectedCount")]) }
            add("a purpose changed", targetPlace + [.member("targetPurpose")]) { purpose in
                let limbo = "TargetPurposeLimboResolution"
                return .string(purpose?.text == limbo ? "TargetPurposeListen" : limbo)
            }
        }
    }
}

extension JSON {
    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    fileprivate var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var numberText: String { if case .number(let text) = self { text } else { "" } }
}
