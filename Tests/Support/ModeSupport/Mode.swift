// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where the suite of the public API runs: the same tests and the same client everywhere, another database behind it.
///
/// `HEARTH_MODE` names it; without that it is the embedded database. What not every mode can do stands in `ModeTable`.
package enum Mode: String, CaseIterable, Sendable {
    /// The engine in this process.
    case embedded
    /// The client of a server, and the server's methods, both in this process without a socket.
    case loopback
    /// `hearth serve`, another process, over a socket.
    case server
    /// Google's emulator over a socket: a running one that `HEARTH_EMULATOR=host:port` names, else one started for the tests.
    case emulator

    package static let current: Mode = {
        let name = ProcessInfo.processInfo.environment["HEARTH_MODE"] ?? ""
        guard !name.isEmpty else { return .embedded }
        guard let mode = Mode(rawValue: name) else {
            end(2, "HEARTH_MODE is one of \(allCases.map(\.rawValue).joined(separator: ", ")), and not \(name)")
        }
        #if !Remote
            guard mode == .embedded else { end(2, "this build has the embedded database alone, without the trait Remote") }
        #endif
        return mode
    }()

    /// Whether this mode can do what not every one can.
    package static func can(_ entry: ModeTable.Entry) -> Bool {
        let hasCache = (current == .server || current == .emulator) && ModeCache.current != .off
        return switch entry.cache {
        case .any: entry.modes.contains(current)
        case .extends: entry.modes.contains(current) || hasCache
        case .excludes: entry.modes.contains(current) && !hasCache
        }
    }

    /// Ends the tests with a line that says why: there is nothing they could run against.
    package static func end(_ code: Int32, _ line: String) -> Never {
        FileHandle.standardError.write(Data("HEARTH_MODE: \(line)\n".utf8))
        exit(code)
    }
}
