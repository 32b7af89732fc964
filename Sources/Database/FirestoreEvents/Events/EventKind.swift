// SPDX-License-Identifier: Apache-2.0

/// What a change does to a document.
package enum EventKind: String, Sendable, CaseIterable {
    case created, updated, deleted
}
