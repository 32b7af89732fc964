// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The settings of a sync engine. Features have settings of their own (`SyncSettingKey`).
package struct SyncSettings: Sendable {
    /// How many lookups of documents in limbo run simultaneously (SY-109).
    package var concurrentLimboResolutions = 100
    /// How long the first answer of a server may take before the client is offline (SY-113).
    ///
    /// Zero: one-shot reads are answered by the cache if it has something, and the client waits as long as usual.
    package var offlineAfter: Duration = .seconds(10)
    /// The delays between attempts to open a stream again (SY-115).
    package var backoff = Backoff()
    /// How long an unused stream stays open (SY-55, SY-116).
    package var idle: Duration = .seconds(60)
    /// Reads documents from the authority, past the cache. It is called and answers on any thread.
    package var lookUp: (@Sendable ([DocumentKey], @escaping @Sendable (Result<LookupSnapshot, FirestoreError>) -> Void) -> Void)?
    /// The time since some moment. Injected, so that tests control it.
    package var now: @Sendable () -> Duration
    /// Logs an error that the engine has recovered from.
    package var log: @Sendable (String) -> Void = { _ in }
    private var values: [ObjectIdentifier: any Sendable] = [:]

    package init() {
        let start = ContinuousClock.now
        now = { ContinuousClock.now - start }
    }

    package var isCacheFirst: Bool { offlineAfter == .zero }
    var patience: Duration { isCacheFirst ? .seconds(10) : offlineAfter }

    /// The setting of a feature.
    subscript<Key: SyncSettingKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names a setting of a feature, which declares it as a property in an extension of `SyncSettings`.
protocol SyncSettingKey {
    associatedtype Value: Sendable
    static var defaultValue: Value { get }
}
