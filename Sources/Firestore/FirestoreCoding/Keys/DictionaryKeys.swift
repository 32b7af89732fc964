// SPDX-License-Identifier: Apache-2.0

/// Marks dictionaries whose keys are field names: key strategies do not apply to them (R43, R67).
package protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

/// Distinguishes keyed containers of dictionaries from those of structs, classes and enums.
enum DictionaryKeys {
    /// The standard library's private key type for dictionaries, recorded while a dictionary encodes itself.
    private static let keyType: ObjectIdentifier? = {
        let probe = Probe()
        try? ["": 0].encode(to: probe)
        return probe.recorder.keyType
    }()

    static func isKeyType(_ type: any CodingKey.Type) -> Bool { ObjectIdentifier(type) == keyType }

    private final class Recorder {
        var keyType: ObjectIdentifier?
    }

    private struct Stop: Error {}

    /// An encoder that records the key type of the first keyed container and throws on every write.
    private struct Probe: Encoder {
        let recorder = Recorder()
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            recorder.keyType = ObjectIdentifier(type)
            return KeyedEncodingContainer(Rejection<Key>())
        }
        func unkeyedContainer() -> any UnkeyedEncodingContainer { Rejection<NameKey>() }
        func singleValueContainer() -> any SingleValueEncodingContainer { Rejection<NameKey>() }
    }

    private struct Rejection<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
        SingleValueEncodingContainer
    {
        var codingPath: [any CodingKey] { [] }
        var count: Int { 0 }
        func encodeNil() throws { throw Stop() }
        func encodeNil(forKey key: Key) throws { throw Stop() }
        func encode<T: Encodable>(_ value: T) throws { throw Stop() }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw Stop() }
        func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
            KeyedEncodingContainer(Rejection<Inner>())
        }
        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Inner> {
            KeyedEncodingContainer(Rejection<Inner>())
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { Probe() }
        func superEncoder(forKey key: Key) -> any Encoder { Probe() }
    }
}
