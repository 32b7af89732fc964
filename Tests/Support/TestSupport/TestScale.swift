// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much random and exhaustive tests do.
///
/// The quick scale is the default, of `swift test` and of CI. `HEARTH_FULL=1`, which `make test-full` sets, asks for everything.
package enum TestScale {
    package static let isFull = ProcessInfo.processInfo.environment["HEARTH_FULL"].map { !$0.isEmpty && $0 != "0" } ?? false

    /// Whether the process and its children run under a sanitizer (`make test-tsan`), which needs terabytes of addresses.
    package static let isSanitized = ProcessInfo.processInfo.environment["HEARTH_SANITIZER"] != nil

    /// The size of a test: of its rounds, seeds, documents.
    package static func pick<Size>(quick: Size, full: Size) -> Size { isFull ? full : quick }
}
