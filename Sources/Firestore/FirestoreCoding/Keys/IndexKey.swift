// SPDX-License-Identifier: Apache-2.0

/// The index of an array element in a coding path (R40).
struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}

/// A field name as a coding key, where the user's key type is not available.
struct NameKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }

    /// The key of `superEncoder()` and `superDecoder()` (R55).
    static let `super` = NameKey("super")
}
