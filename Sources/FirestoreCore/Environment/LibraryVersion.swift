// SPDX-License-Identifier: Apache-2.0

/// What version of Hearth this is.
package enum LibraryVersion {
    package static let text = "0.1.0"
}
