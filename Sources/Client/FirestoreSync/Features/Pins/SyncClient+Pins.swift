// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package var pins: (any PinAdministration)? { CachePins(client: self) }
}

/// The pins of a client's cache.
private struct CachePins: PinAdministration {
    let client: SyncClient

    func pin(_ target: ClientTarget, named name: String, refreshEvery interval: Duration) async throws(FirestoreError) {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.pin(target, named: name, refreshEvery: interval) }
    }

    func pinnedTargets() async throws(FirestoreError) -> [PinnedTarget] {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.pinnedTargets() }
    }

    func refreshPin(named name: String) async throws(FirestoreError) {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.refreshPinNow(name) }
    }

    func unpin(_ name: String) async throws(FirestoreError) {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.unpin(name) }
    }

    func observePins(_ body: @escaping @Sendable () -> Void) -> any ListenHandle { client.observers.observe(.pins, body) }
}
