import Foundation

/// The variables this process was started with.
enum CommandEnvironment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
