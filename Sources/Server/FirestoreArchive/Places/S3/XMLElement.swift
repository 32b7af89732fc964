// SPDX-License-Identifier: Apache-2.0

/// An element of an answer in XML: its name, its text, and the elements in it. Attributes are not kept.
struct XMLElement {
    let name: String
    var text = ""
    var children: [XMLElement] = []

    /// The text of the first element of a name in this one.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }
}
