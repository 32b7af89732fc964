import FirestoreCore
public import Foundation
package import Logging

/// How much Hearth logs.
public enum FirebaseLoggerLevel: Int, Sendable {
    /// Errors only.
    case error = 3
    /// Warnings and errors.
    case warning = 4
    /// What one wants to know once; the default.
    case notice = 5
    /// More than that.
    case info = 6
    /// Everything.
    case debug = 7

    /// The quietest level.
    public static let min = FirebaseLoggerLevel.error
    /// The noisiest level.
    public static let max = FirebaseLoggerLevel.debug
}

/// Process-wide configuration.
public final class FirebaseConfiguration: NSObject, Sendable {
    /// The one configuration.
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

    /// A logger that follows the configured level at the moment it is made.
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

/// What this module has to say.
enum CoreLog {
    static func error(_ message: String) {
        FirebaseConfiguration.shared.logger(label: "hearth.app").error("\(message)")
    }
}
