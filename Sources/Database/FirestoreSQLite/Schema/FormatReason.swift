// SPDX-License-Identifier: Apache-2.0

/// Why a file cannot be used as it is, if something can be done: the cause of the error. A program that knows what it is called there adds
/// that to the message.
package enum FormatReason: Error, Hashable {
    /// The file has an earlier format, and what opens it for writing brings it up to date.
    case earlier
}
