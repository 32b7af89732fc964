// SPDX-License-Identifier: Apache-2.0

/// A file of this folder, inside the program.
package struct EmbeddedFile: Sendable {
    /// Relative to `Console/`: `lib/values.js`.
    package let path: String
    package let text: StaticString

    /// Written at build time, by the plugin `EmbedFiles`.
    package static var all: [EmbeddedFile] { embeddedFiles }
}
