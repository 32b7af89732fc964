// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Defects that a debug build has if the variable HEARTH_MUTATION names one: the tests of several nodes must find each (DN-9.6).
package enum DeliberateDefect: String {
    /// Commit times are taken without the row of the database.
    case timesWithoutRow = "times-without-row"
    /// A watch joins a view without looking for what other nodes have acknowledged.
    case joinWithoutLook = "join-without-look"
    /// What this process remembers of a write stream decides.
    case sequencesInMemory = "sequences-in-memory"
    /// Another server takes over without being noticed.
    case epochUnchecked = "epoch-unchecked"
    /// Publishers do not wait for the nodes.
    case noticesNotAwaited = "notices-not-awaited"

    #if DEBUG
        private static let chosen = ProcessInfo.processInfo.environment["HEARTH_MUTATION"].flatMap(Self.init)

        package var isOn: Bool { Self.chosen == self }
    #else
        package var isOn: Bool { false }
    #endif
}
