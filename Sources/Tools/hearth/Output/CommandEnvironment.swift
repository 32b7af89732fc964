// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The environment of this process.
enum CommandEnvironment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
