public import Foundation

/// A value of Remote Config, which is read as the dictionary, the array or the string it holds.
///
/// Remote Config is no part of Hearth; the protocol is here for code that conforms a type of its own and hands it to
/// `FirebaseDataDecoder`.
public protocol FirebaseRemoteConfigValueDecoding {
    /// The value as a number.
    func numberValue() -> NSNumber
    /// The value as a truth value.
    func boolValue() -> Bool
    /// The value as a string.
    func stringValue() -> String
    /// The value as bytes.
    func dataValue() -> Data
    /// The value as an array, nil if it is none.
    func arrayValue() -> [AnyHashable]?
    /// The value as a dictionary, nil if it is none.
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
