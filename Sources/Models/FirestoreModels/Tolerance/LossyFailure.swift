// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCoding

/// A value that a lossy property left out, and why.
///
/// Beyond the Apple SDK.
public struct LossyFailure: Sendable {
    /// The index of the element; nil for entries of dictionaries and for single values.
    public let index: Int?
    /// The key of the entry; nil for elements and single values.
    public let key: String?
    /// The stored value, which is written back; nil if another decoder than Firestore's was used.
    public let stored: FirestoreValue?
    /// A `DecodingError` with the full path, or the error that the type's `init(from:)` threw.
    public let error: any Error
}

/// A value that is left out: takes whatever is there.
struct LeftOut: Decodable {
    init(from decoder: any Decoder) throws {}
}

extension LossyFailure {
    /// Decodes the elements of an array, and retains those that fail.
    static func elements<Element: Decodable>(
        of type: Element.Type, _ decoder: any Decoder
    ) throws -> (elements: [Element], failures: [LossyFailure]) {
        let stored = decoder as? ValueDecoder
        if try decoder.singleValueContainer().decodeNil() { return ([], []) }
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        var failures: [LossyFailure] = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                elements.append(try container.decode(Element.self))
            } catch {
                // A failed read does not advance.
                let value: FirestoreValue?
                if stored == nil {
                    _ = try container.decode(LeftOut.self)
                    value = .none
                } else {
                    value = try container.decode(FirestoreValue.self)
                }
                failures.append(LossyFailure(index: index, key: nil, stored: value, error: error))
                stored?.tolerate(.elementLost)
            }
        }
        return (elements, failures)
    }

    /// Writes elements and, to Firestore, those that failed: at their places while the number of elements is the one that was
    /// read, otherwise at the end.
    static func encode<Element: Encodable>(
        _ elements: some Collection<Element>, _ failures: [LossyFailure], read: Int?, to encoder: any Encoder
    ) throws {
        var container = encoder.unkeyedContainer()
        let kept = encoder is ValueEncoder ? failures.filter { $0.stored != nil } : []
        guard elements.count == read else {
            for element in elements { try container.encode(element) }
            for failure in kept { try container.encode(failure.stored) }
            return
        }
        var rest = kept[...]
        for element in elements {
            while let failure = rest.first, failure.index == container.count {
                try container.encode(failure.stored)
                rest.removeFirst()
            }
            try container.encode(element)
        }
        for failure in rest { try container.encode(failure.stored) }
    }
}
