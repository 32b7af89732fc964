// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A stretch of time of which every moment can be restored.
package struct ArchiveWindow: Sendable, Hashable {
    package let start: DocumentVersion
    package fileprivate(set) var end: DocumentVersion
}

extension ArchiveCatalog {
    /// The moments that can be restored, the oldest first: copies whose journals lead from one to the next are one window.
    package var windows: [ArchiveWindow] {
        var windows: [(history: UInt64, window: ArchiveWindow)] = []
        for span in spans {
            let before = windows.lastIndex { $0.history == span.history && span.base.time <= $0.window.end }
            if let before {
                windows[before].window.end = max(windows[before].window.end, span.end)
            } else {
                windows.append((span.history, ArchiveWindow(start: span.base.time, end: span.end)))
            }
        }
        return windows.map(\.window)
    }
}
