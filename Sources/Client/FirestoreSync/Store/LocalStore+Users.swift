// SPDX-License-Identifier: Apache-2.0

/// What a store in memory needs while another user is signed in (`SyncRunner`).
extension LocalStore {
    var isInMemory: Bool { if case .memory = configuration.location { true } else { false } }

    /// Ends the use of all targets.
    func releaseAll() {
        // What cannot be released now is used again, or stays until it is.
        for id in active.keys.sorted() { try? release(id) }
    }
}
