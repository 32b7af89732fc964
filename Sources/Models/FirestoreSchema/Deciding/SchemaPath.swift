// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The name of a place in reports and options: `address.city`, `stops[].kind`, `prices{}`.
package struct SchemaPath: Sendable, CustomStringConvertible {
    package private(set) var text = ""

    package init() {}

    package func field(_ name: String) -> SchemaPath {
        var copy = self
        let segment = name.isEmpty ? "``" : FieldPathSegments(name).canonical
        copy.text += (text.isEmpty ? "" : ".") + segment
        return copy
    }

    package var elements: SchemaPath { adding("[]") }
    package var values: SchemaPath { adding("{}") }

    private func adding(_ suffix: String) -> SchemaPath {
        var copy = self
        copy.text += suffix
        return copy
    }

    package var description: String { text }
}
