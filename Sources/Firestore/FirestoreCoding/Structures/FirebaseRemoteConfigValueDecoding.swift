// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A value of Remote Config, which is read as the dictionary, the array or the string it contains.
///
/// Remote Config is not part of Hearth; the protocol exists for code that conforms a custom type to it and passes that
/// to `FirebaseDataDecoder`.
public protocol FirebaseRemoteConfigValueDecoding {
    /// The value as a number.
    func numberValue() -> NSNumber
    /// The value as a boolean.
    func boolValue() -> Bool
    /// The value as a string.
    func stringValue() -> String
    /// The value as bytes.
    func dataValue() -> Data
    /// The value as an array; nil if it is not one.
    func arrayValue() -> [AnyHashable]?
    /// The value as a dictionary; nil if it is not one.
    func dictionaryValue() -> [String: AnyHashable]?
}

extension FirebaseRemoteConfigValueDecoding {
    /// The plain structure behind the value.
    var structure: Any {
        if let dictionary = dictionaryValue() { return dictionary.mapValues { $0.base } }
        if let array = arrayValue() { return array.map { $0.base } }
        return stringValue()
    }
}
