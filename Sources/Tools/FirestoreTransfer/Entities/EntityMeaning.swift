// SPDX-License-Identifier: Apache-2.0

/// The meaning of a property's value, if its kind does not determine it (`docs/decisions/0021-export-format.md`).
enum EntityMeaning {
    static let none = 0
    /// An integer is microseconds since 1970.
    static let timestamp = 7
    static let geoPoint = 9
    /// A text represents bytes that are too long for an index.
    static let blob = 14
    /// A text that is too long for an index.
    static let text = 15
    /// A text represents bytes.
    static let byteString = 16
    /// A text represents an entity, whose properties are the entries of a map.
    static let entity = 19
    /// There is no value: an array without elements.
    static let emptyList = 24
    /// The components of a vector, each in a separate property.
    static let vector = 31
}

/// The field numbers of the messages that an entity consists of.
enum EntityField {
    // EntityProto
    static let key = 13
    static let property = 14
    static let rawProperty = 15
    static let entityGroup = 16

    // Property
    static let meaning = 1
    static let name = 3
    static let multiple = 4
    static let value = 5

    // PropertyValue
    static let integer = 1
    static let boolean = 2
    static let string = 3
    static let double = 4
    static let point = 5
    static let user = 8
    static let reference = 12

    // PointValue
    static let x = 6
    static let y = 7

    // Reference, and ReferenceValue
    static let app = 13
    static let path = 14
    static let namespace = 20
    static let database = 23

    // Path.Element
    static let element = 1
    static let elementType = 2
    static let elementID = 3
    static let elementName = 4

    // ReferenceValue.PathElement
    static let referenceType = 15
    static let referenceID = 16
    static let referenceName = 17
}
