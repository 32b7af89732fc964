// SPDX-License-Identifier: Apache-2.0

/// The version of Hearth.
package enum LibraryVersion {
    package static let text = "0.1.0"
}
