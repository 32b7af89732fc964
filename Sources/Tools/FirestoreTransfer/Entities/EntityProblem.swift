// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The reason why the bytes of an entity are not a document, and the path to the problem, collected while the reader
/// unwinds.
struct EntityProblem: Error {
    enum Kind {
        /// Not a protobuf message of the expected form.
        case malformed
        case noKey, noPath
        /// The entity has a namespace, which Firestore does not support.
        case namespace
        case badText
        case noName
        case unknownMeaning(Int)
        /// The kind of the value does not fit its meaning.
        case wrongValue(meaning: Int)
        /// A kind of value that Datastore supports and Firestore does not.
        case unknownValue(String)
        case repeated
        case tooDeep
    }

    let kind: Kind
    private(set) var steps: [DocumentViolation.Step] = []

    init(_ kind: Kind) { self.kind = kind }

    func inside(_ name: String) -> EntityProblem { appending(.field(name)) }
    func inside(_ index: Int) -> EntityProblem { appending(.element(index)) }

    private func appending(_ step: DocumentViolation.Step) -> EntityProblem {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// `document` is nil if its name is not known yet.
    func error(in document: String?) -> FirestoreError {
        let field = "field \(DocumentViolation.path(of: steps))"
        let place = steps.isEmpty ? document : document.map { "\($0), \(field)" } ?? field
        return FirestoreError(isDamage ? .dataLoss : .invalidArgument, explanation, at: place)
    }

    private var isDamage: Bool {
        switch kind {
        case .malformed, .noKey, .noPath, .badText, .noName, .repeated, .tooDeep: true
        case .namespace, .unknownMeaning, .wrongValue, .unknownValue: false
        }
    }

    private var explanation: String {
        switch kind {
        case .malformed: "the record is not an entity"
        case .noKey: "the entity has no key"
        case .noPath: "the path of the key is empty or too long, or an element of it has no id that a document can have"
        case .namespace: "the entity is in a namespace of Datastore, which Firestore does not support"
        case .badText: "a string is not valid UTF-8"
        case .noName: "a property has no name"
        case .unknownMeaning(let number): "Firestore has no type for the property's meaning \(number)"
        case .wrongValue(let number): "the property's value does not fit its meaning \(number)"
        case .unknownValue(let name): "the property is \(name), which Firestore does not have"
        case .repeated: "the property occurs more than once, but is not an array"
        case .tooDeep: "the entities nest deeper than the values of a document may"
        }
    }
}
