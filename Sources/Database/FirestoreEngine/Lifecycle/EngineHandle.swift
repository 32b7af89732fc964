// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One user of an engine: what it watches and what it has submitted bear its number. Handles that were made from one another are a family.
final class EngineHandle: Sendable {
    private struct State {
        /// The place in line of the last commit submitted through this handle.
        var lastSubmitted: UInt64 = 0
        /// All who release the handle wait for the same end.
        var release: Task<Void, Never>?
    }

    let core: EngineCore
    let number: Int
    private let family: Family
    private let state = Mutex(State())

    /// Takes over one of the core's counted handles.
    init(core: EngineCore, in family: Family = Family()) {
        self.core = core
        self.family = family
        number = core.makeHandle()
        family.add(self)
    }

    /// Another handle of the same family.
    func sibling() throws(FirestoreError) -> EngineHandle {
        guard !isReleased, core.retainIfInUse() else { throw core.end.closedError }
        return EngineHandle(core: core, in: family)
    }

    var isReleased: Bool { state.withLock { $0.release != nil } }

    func submitted(_ place: UInt64) { state.withLock { $0.lastSubmitted = max($0.lastSubmitted, place) } }

    /// Returns when the handle has ended, and with the last one the engine.
    func release() async { await startRelease().value }

    @discardableResult
    func startRelease() -> Task<Void, Never> {
        state.withLock { state in
            if let release = state.release { return release }
            let release = Task.detached { [self, place = state.lastSubmitted] in
                await core.release(number, submitted: place)
                family.remove(self)
            }
            state.release = release
            return release
        }
    }

    /// Returns when every handle of the family has ended.
    func releaseFamily() async {
        for handle in family.handles { await handle.release() }
    }

    final class Family: Sendable {
        private let members = Mutex<[Int: EngineHandle]>([:])

        var handles: [EngineHandle] { members.withLock { Array($0.values) } }

        func add(_ handle: EngineHandle) { members.withLock { $0[handle.number] = handle } }

        func remove(_ handle: EngineHandle) { members.withLock { _ = $0.removeValue(forKey: handle.number) } }
    }
}
