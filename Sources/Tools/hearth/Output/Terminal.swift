// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The properties of standard output.
struct Terminal: Sendable {
    /// Whether it is a terminal.
    let isInteractive: Bool
    /// The number of columns; nil for no limit.
    let width: Int?
    let takesColors: Bool

    init(isInteractive: Bool, width: Int?, takesColors: Bool) {
        self.isInteractive = isInteractive
        self.width = width
        self.takesColors = takesColors
    }

    /// Standard output of this process. COLUMNS takes precedence over the terminal.
    init(color: ColorChoice, environment: [String: String]) {
        isInteractive = isatty(STDOUT_FILENO) == 1
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = columns ?? (isInteractive ? Self.windowWidth ?? 80 : nil)
        takesColors =
            switch color {
            case .always: true
            case .never: false
            case .auto:
                isInteractive && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
            }
    }

    private static var windowWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether a question on standard error can be answered on standard input.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }
}
