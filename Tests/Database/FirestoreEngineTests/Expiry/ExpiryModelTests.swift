// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// Random writes, policies and times, against a dictionary from which expired documents are filtered.
@Suite struct ExpiryModelTests {
    private struct Model {
        /// The date of each document in seconds; nil for one that never expires.
        var documents: [String: Int64?] = [:]
        var offsets: [String: Int64] = [:]

        mutating func pass(to now: Int64) {
            documents = documents.filter { path, date in
                guard let date, let offset = offsets[Self.group(of: path)] else { return true }
                return date + offset > now
            }
        }

        static func group(of path: String) -> String { String(path.split(separator: "/").dropLast().last ?? "") }
    }

    private static let paths = ["a", "b", "a/1/b", "b/2/a"]

    private static func write(_ fixture: ExpiryFixture, _ model: inout Model, _ generator: inout SeededGenerator, now: Int64) async throws {
        let path = "\(paths.randomElement(using: &generator)!)/\(Int.random(in: 0..<9, using: &generator))"
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            _ = try await fixture.engine.commit(.delete(path))
            model.documents[path] = nil
        case 1:
            _ = try await fixture.engine.commit(.set(path, ("expiresAt", .integer(now))))
            model.documents.updateValue(nil, forKey: path)
        default:
            let date = now + Int64.random(in: -20...20, using: &generator)
            try await fixture.add(path, at: Double(date))
            model.documents.updateValue(date, forKey: path)
        }
    }

    private static func changePolicy(_ fixture: ExpiryFixture, _ model: inout Model, _ generator: inout SeededGenerator) async throws {
        let group = ["a", "b"].randomElement(using: &generator)!
        if Bool.random(using: &generator) {
            let offset = Int64.random(in: 0...10, using: &generator)
            try await fixture.expire(group, offset: .seconds(offset))
            model.offsets[group] = offset
        } else {
            try await fixture.engine.removePolicy(collectionGroup: group, field: ExpiryFixture.field)
            model.offsets[group] = nil
        }
    }

    /// OT-32, OT-33, OT-37
    @Test("exactly the documents remain that have not expired", arguments: 0..<TestScale.pick(quick: 6, full: 60))
    func model(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let fixture = try ExpiryFixture()
        var (model, now) = (Model(), Int64(0))
        for step in 0..<150 {
            if step % 15 == 0 { try await Self.changePolicy(fixture, &model, &generator) }
            try await Self.write(fixture, &model, &generator, now: now)
            guard Int.random(in: 0..<5, using: &generator) == 0 else { continue }
            now += Int64.random(in: 0...8, using: &generator)
            try await fixture.pass(to: now)
            model.pass(to: now)
            #expect(try await fixture.paths() == Set(model.documents.keys), "step \(step)")
        }
        try await fixture.engine.indexesSettled()
        try await fixture.engine.checkAndShutDown()
    }
}
