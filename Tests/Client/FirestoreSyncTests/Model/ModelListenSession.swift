// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport

/// The server's end of one Listen stream.
final class ModelListenSession {
    private struct Target {
        let target: ListenTargetRequest.Target
        let isLookup: Bool
        /// What the client knows to be in it, and up to which version.
        var known: Set<DocumentKey> = []
        var version: Int64 = 0
    }

    private let server: ModelServer
    private var targets: [Int32: Target] = [:]

    init(_ server: ModelServer) { self.server = server }

    /// Whether nothing is left to report.
    var isQuiet: Bool { targets.isEmpty || (isConsistent && targets.values.allSatisfy { $0.version == server.now }) }
    /// Whether nothing was sent since the last snapshot.
    private var isConsistent = true

    private static func token(_ version: Int64) -> ByteSlice { ByteSlice([UInt8]("v\(version)".utf8)) }

    private static func version(_ token: ByteSlice) -> Int64? { Int64(String(decoding: token.array.dropFirst(), as: UTF8.self)) }

    // MARK: Requests

    func take(_ request: ListenRequest, _ random: inout SeededGenerator) -> [ListenResponse] {
        switch request.change {
        case .remove(let id):
            targets[id] = nil
            return [.targetChange(TargetChange(.remove, targets: [id]))]
        case .add(let add):
            guard case .success(let target) = add.target else {
                server.violations.append("an invalid target was requested: \(add.target)")
                return []
            }
            if targets[add.targetID] != nil { server.violations.append("target \(add.targetID) was added, which is active") }
            let isLookup = request.labels.contains { $0.value == "limbo-document" }
            return begin(add, Target(target: target, isLookup: isLookup), &random)
        }
    }

    private func begin(_ add: ListenTargetRequest, _ new: Target, _ random: inout SeededGenerator) -> [ListenResponse] {
        let id = add.targetID
        var target = new
        isConsistent = false
        var frames: [ListenResponse] = [.targetChange(TargetChange(.add, targets: [id]))]
        if target.isLookup, server.refusesLookups, server.result(of: target.target).isEmpty {
            return frames + [.targetChange(TargetChange(.remove, targets: [id], cause: .refused))]
        }
        switch add.start {
        case .resumeToken(let token):
            guard let version = Self.version(token), version <= server.now else {
                server.violations.append("target \(id) was resumed with a token that no server has given")
                return frames
            }
            let then = Set(server.result(of: target.target, at: version).map(\.key))
            if let count = add.expectedCount, count != then.count {
                server.violations.append("target \(id) was resumed at \(version) with \(count) documents, where \(then.count) were: \(then)")
            }
            frames += resume(id, &target, from: version, then, &random)
        case .readTime, .beginning:
            frames += emit(id, &target, &random)
        }
        target.version = server.now
        targets[id] = target
        frames.append(
            .targetChange(TargetChange(.current, targets: [id], resumeToken: Self.token(server.now), readTime: DocumentVersion(microseconds: server.now))))
        if Bool.random(using: &random) { frames += snapshot(&random) }
        return frames
    }

    private func resume(
        _ id: Int32, _ target: inout Target, from version: Int64, _ then: Set<DocumentKey>, _ random: inout SeededGenerator
    ) -> [ListenResponse] {
        target.version = version
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            // Too old: everything is sent again.
            target.version = 0
            return [.targetChange(TargetChange(.reset, targets: [id]))] + emit(id, &target, &random)
        case 1:
            // What has left is not known any more; a count shows that something has.
            if case .query(let query) = target.target, query.limit != nil { break }
            let now = server.result(of: target.target)
            target.known = Set(now.map(\.key))
            let frames: [ListenResponse] = now.filter { $0.updateTime.microseconds > version || !then.contains($0.key) }.map {
                .documentChange(ModelWorld.database, $0, targets: [id], removedFrom: [])
            }
            return frames + [filter(id, target, &random)]
        default: break
        }
        target.known = then
        let frames = emit(id, &target, &random)
        return Bool.random(using: &random) ? frames + [filter(id, target, &random)] : frames
    }

    private func filter(_ id: Int32, _ target: Target, _ random: inout SeededGenerator) -> ListenResponse {
        let names = Int.random(in: 0..<3, using: &random) == 0 ? nil : BloomFilter(Array(target.known), in: ModelWorld.database)
        return .filter(ExistenceFilter(target: id, count: target.known.count, names: names))
    }

    // MARK: Changes

    /// What has changed in a target since it was reported last.
    private func emit(_ id: Int32, _ target: inout Target, _ random: inout SeededGenerator) -> [ListenResponse] {
        let result = server.result(of: target.target)
        let keys = Set(result.map(\.key))
        var frames: [ListenResponse] = []
        for document in result where document.updateTime.microseconds > target.version || !target.known.contains(document.key) {
            frames.append(.documentChange(ModelWorld.database, document, targets: [id], removedFrom: []))
        }
        // What came and went again is reported as well: the client may have shown it, if it wrote it.
        var gone = target.known.subtracting(keys)
        if target.version > 0 { gone.formUnion(server.touched(target.target, since: target.version).subtracting(keys)) }
        if target.version == 0, case .documents(let wanted) = target.target, Bool.random(using: &random) { gone.formUnion(Set(wanted).subtracting(keys)) }
        for key in gone.sorted() {
            if let document = server.documents[key] {
                frames.append(
                    Bool.random(using: &random)
                        ? .documentChange(ModelWorld.database, document, targets: [], removedFrom: [id])
                        : .documentRemove(ModelWorld.database, key, removedFrom: [id], readTime: DocumentVersion(microseconds: server.now)))
            } else {
                frames.append(.documentDelete(ModelWorld.database, key, removedFrom: [id], readTime: server.deletion(of: key)))
            }
        }
        frames.shuffle(using: &random)
        target.known = keys
        target.version = server.now
        return frames
    }

    /// Reports changes of some targets or all; only after all, a snapshot may follow.
    func publish(_ random: inout SeededGenerator, isComplete: Bool = false) -> [ListenResponse] {
        guard !targets.isEmpty else { return [] }
        var frames: [ListenResponse] = []
        isConsistent = false
        let tellsAll = isComplete || Bool.random(using: &random)
        for id in targets.keys.sorted() where tellsAll || Bool.random(using: &random) {
            guard var target = targets[id] else { continue }
            frames += emit(id, &target, &random)
            targets[id] = target
            switch Int.random(in: 0..<8, using: &random) {
            case 0: frames.append(filter(id, target, &random))
            case 1: frames.append(.targetChange(TargetChange(.noChange, targets: [id], resumeToken: Self.token(server.now))))
            default: break
            }
        }
        if tellsAll { frames += snapshot(&random) }
        return frames
    }

    /// Everything up to now was sent, so now is consistent.
    private func snapshot(_ random: inout SeededGenerator) -> [ListenResponse] {
        var frames: [ListenResponse] = []
        for id in targets.keys.sorted() {
            guard var target = targets[id] else { continue }
            frames += emit(id, &target, &random)
            targets[id] = target
        }
        isConsistent = true
        let time = DocumentVersion(microseconds: server.now)
        return frames + [.targetChange(TargetChange(.noChange, resumeToken: Self.token(server.now), readTime: time))]
    }

    // MARK: Troubles

    private func pick(_ number: Int) -> Int32? {
        let ids = targets.filter { !$0.value.isLookup }.keys.sorted()
        return ids.isEmpty ? nil : ids[number % ids.count]
    }

    func deny(_ number: Int) -> [ListenResponse] {
        guard let id = pick(number) else { return [] }
        targets[id] = nil
        return [.targetChange(TargetChange(.remove, targets: [id], cause: .refused))]
    }

    func reset(_ number: Int, _ random: inout SeededGenerator) -> [ListenResponse] {
        guard let id = pick(number), var target = targets[id] else { return [] }
        target.known = []
        target.version = 0
        isConsistent = false
        var frames: [ListenResponse] = [.targetChange(TargetChange(.reset, targets: [id]))]
        frames += emit(id, &target, &random)
        targets[id] = target
        frames.append(
            .targetChange(TargetChange(.current, targets: [id], resumeToken: Self.token(server.now), readTime: DocumentVersion(microseconds: server.now))))
        return frames
    }
}

extension FirestoreError {
    static let refused = FirestoreError(.permissionDenied, "the target may not be read")
}
