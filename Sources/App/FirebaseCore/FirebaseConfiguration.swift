// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation
package import Logging

/// The level up to which Hearth logs.
public enum FirebaseLoggerLevel: Int, Sendable {
    /// Errors only.
    case error = 3
    /// Warnings and errors.
    case warning = 4
    /// Messages that are of interest once, such as the database in use. The default.
    case notice = 5
    /// Details of normal operation.
    case info = 6
    /// Everything.
    case debug = 7

    /// The level with the fewest messages.
    public static let min = FirebaseLoggerLevel.error
    /// The level with the most messages.
    public static let max = FirebaseLoggerLevel.debug
}

/// Process-wide configuration.
public final class FirebaseConfiguration: NSObject, Sendable {
    /// The configuration object of the process.
    public static let shared = FirebaseConfiguration()

    private let level = Mutex(FirebaseLoggerLevel.notice)

    private override init() { super.init() }

    /// Sets the level up to which messages are logged.
    public func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) {
        level.withLock { $0 = loggerLevel }
    }

    /// The level up to which messages are logged.
    public func loggerLevel() -> FirebaseLoggerLevel {
        level.withLock { $0 }
    }

    /// A logger with the level that is configured when the logger is made.
    package func logger(label: String) -> Logger {
        var logger = Logger(label: label)
        logger.logLevel =
            switch loggerLevel() {
            case .error: .error
            case .warning: .warning
            case .notice: .notice
            case .info: .info
            case .debug: .debug
            }
        return logger
    }
}

/// The version of the library.
public func FirebaseVersion() -> String { LibraryVersion.text }

/// The log messages of this module.
enum CoreLog {
    static func error(_ message: String) {
        FirebaseConfiguration.shared.logger(label: "hearth.app").error("\(message)")
    }
}
