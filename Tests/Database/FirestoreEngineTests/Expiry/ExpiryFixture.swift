// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreStorage
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// An engine whose sessions expire at `expiresAt`, on a clock that the test moves.
struct ExpiryFixture {
    static let start: Int64 = 1_700_000_000_000_000
    static let second: Int64 = 1_000_000
    static let field = FieldPathSegments("expiresAt")

    let clock: ManualClock
    let engine: Engine

    init(_ location: EngineConfiguration.Location? = nil, clock: ManualClock = ManualClock(microseconds: ExpiryFixture.start)) throws {
        self.clock = clock
        var configuration = EngineConfiguration(
            location: try location ?? EngineStores.place(), durability: .relaxed, databaseID: testDatabase, clock: clock)
        // Only the test looks.
        configuration.expiry.isOn = false
        engine = try Engine.open(configuration)
    }

    func expire(_ group: String = "sessions", by field: FieldPathSegments = ExpiryFixture.field, offset: Duration = .zero) async throws {
        try await engine.setPolicy(collectionGroup: group, field: field, offset: offset)
    }

    /// A date, in seconds after the start.
    static func date(_ seconds: Double) -> Value {
        .timestamp(TimestampValue(microsecondsSince1970: start + Int64(seconds * Double(second))))
    }

    func add(_ path: String, at seconds: Double) async throws {
        _ = try await engine.commit(.set(path, ("expiresAt", Self.date(seconds))))
    }

    /// Deletes what has expired when this many seconds have passed since the start.
    func pass(to seconds: Int64) async throws {
        clock.set(microseconds: Self.start + seconds * Self.second)
        try await engine.deleteExpired()
    }

    /// The paths of all documents.
    func paths() async throws -> Set<String> {
        Set(try await engine.paths(StructuredQuery(scope: .kindless(under: nil, allDescendants: true))))
    }
}
