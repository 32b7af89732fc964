// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import Foundation

/// Progress on standard error: a line that is redrawn on a terminal, and elsewhere nothing until the end.
final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var isDrawn = false
    }

    private static let interval = Duration.milliseconds(100)

    private let isQuiet: Bool
    private let isTerminal: Bool
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    init(isQuiet: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.isQuiet = isQuiet
        self.now = now
        isTerminal = isatty(STDERR_FILENO) == 1
        start = now()
    }

    var elapsed: Duration { now() - start }

    /// Draws the bar, unless it was drawn a moment ago.
    func show(_ progress: TransferProgress) {
        show { ProgressLine.text(progress, after: $0, width: Self.width - 1) }
    }

    /// Draws a line, which is made if it is drawn.
    func show(_ line: (_ elapsed: Duration) -> String) {
        guard isTerminal, !isQuiet else { return }
        let time = now()
        state.withLock { state in
            if let last = state.lastDrawn, time - last < Self.interval { return }
            state.lastDrawn = time
            state.isDrawn = true
            StandardError.write("\r\u{1B}[K" + line(time - start).prefix(Self.width - 1))
        }
    }

    /// Prints a line above the bar.
    func say(_ text: String) {
        state.withLock { state in
            StandardError.write((state.isDrawn ? "\r\u{1B}[K" : "") + text + "\n")
            state.isDrawn = false
            state.lastDrawn = nil
        }
    }

    /// Removes the bar and prints the summary.
    func finish(_ text: String?) {
        state.withLock { state in
            let clearing = state.isDrawn ? "\r\u{1B}[K" : ""
            state.isDrawn = false
            let line = isQuiet ? "" : text.map { $0 + "\n" } ?? ""
            if !(clearing + line).isEmpty { StandardError.write(clearing + line) }
        }
    }

    /// The number of columns of the terminal.
    private static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
