// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Crashes the process because a method was called at a wrong time: twice, too late, or after termination.
///
/// For mistakes in the order of calls only, never for data or paths. It prints the message itself, because release
/// builds leave out the message of a `preconditionFailure`.
package func endForMisuse(_ message: String) -> Never {
    // Where it cannot be written the process ends all the same, at the place of the mistake.
    try? FileHandle.standardError.write(contentsOf: Data("hearth: \(message)\n".utf8))
    preconditionFailure(message)
}
