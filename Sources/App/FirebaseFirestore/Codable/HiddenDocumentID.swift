// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Logging

/// A `@DocumentID` with a default value that the type's `CodingKeys` leave out: every document decodes with the default as its id.
package enum HiddenDocumentID {
    private static let checked = Mutex<Set<ObjectIdentifier>>([])
    private static let depth = 4

    /// Logs it, once for each type. Looks at the first value of a type that was made with such a default.
    static func note<Value>(_ value: Value, of reference: DocumentReference) {
        guard checked.withLock({ $0.insert(ObjectIdentifier(Value.self)).inserted }) else { return }
        guard let property = property(of: value, hiding: reference) else { return }
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning(
            """
            \(Value.self).\(property) is a @DocumentID that the CodingKeys leave out, and its default value hides the ids of documents: \
            remove the default value, or add the property to the CodingKeys
            """)
    }

    /// For tests.
    package static func hasChecked(_ type: Any.Type) -> Bool { checked.withLock { $0.contains(ObjectIdentifier(type)) } }

    /// The path of a property whose value is not the id of the document that the value was decoded from; nil if there is none.
    package static func property(of value: Any, hiding reference: DocumentReference) -> String? {
        property(of: value, hiding: reference, within: depth)
    }

    private static func property(of value: Any, hiding reference: DocumentReference, within depth: Int) -> String? {
        for child in Mirror(reflecting: value).children {
            guard let label = child.label else { continue }
            let name = label.utf8.first == UInt8(ascii: "_") ? String(label.dropFirst()) : label
            if let id = child.value as? any IdentityProperty {
                if id.hides(reference) { return name }
            } else if depth > 1, Mirror(reflecting: child.value).displayStyle == .struct,
                let inner = property(of: child.value, hiding: reference, within: depth - 1)
            {
                return "\(name).\(inner)"
            }
        }
        return nil
    }
}

/// `DocumentID`, whatever its type.
private protocol IdentityProperty {
    func hides(_ reference: DocumentReference) -> Bool
}

extension DocumentID: IdentityProperty {
    /// Whether it has another value than the id of the document.
    fileprivate func hides(_ reference: DocumentReference) -> Bool {
        guard let wrappedValue, let own = try? Value.wrap(reference) else { return false }
        switch (wrappedValue, own) {
        case (let value as String, let own as String): return !equalUTF8(value, own)
        case (let value as DocumentReference, let own as DocumentReference): return value != own
        default:
            guard let value = wrappedValue as? AnyHashable, let own = own as? AnyHashable else { return false }
            return value != own
        }
    }
}
