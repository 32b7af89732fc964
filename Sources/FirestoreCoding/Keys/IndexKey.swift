/// The place of an array element in a coding path (R40).
struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}

/// A field name as a coding key, where no key type of the user's is at hand.
struct NameKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }

    /// What `superEncoder()` and `superDecoder()` use (R55).
    static let `super` = NameKey("super")
}
