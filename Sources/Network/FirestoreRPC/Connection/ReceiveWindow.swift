// SPDX-License-Identifier: Apache-2.0

/// How much the peer may still send, and when to extend that.
struct ReceiveWindow {
    let size: Int
    /// Bytes received and not yet returned to the window.
    private(set) var owed = 0

    init(size: Int) { self.size = size }

    mutating func take(_ bytes: Int) { owed += bytes }

    /// How much to return now: nothing until half of the window is used, so that small frames cost no updates.
    mutating func giveBack() -> Int? {
        guard owed >= size / 2, owed > 0 else { return nil }
        defer { owed = 0 }
        return owed
    }
}
