import FirestoreCore

/// Why the bytes of an entity are no document, and the way to the place, collected while the reading unwinds.
struct EntityProblem: Error {
    enum Kind {
        /// No protobuf message of the right shape.
        case malformed
        case noKey, noPath
        /// Of a namespace, which Firestore does not have.
        case namespace
        case badText
        case noName
        case unknownMeaning(Int)
        /// A value of another kind than its meaning says.
        case wrongValue(meaning: Int)
        /// A kind of value that Datastore has and Firestore has not.
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

    /// `address.lines[2]`
    private var path: String {
        var text = ""
        for step in steps.reversed() {
            switch step {
            case .field(let name): text += (text.isEmpty ? "" : ".") + FieldPathSegments(name).canonical
            case .element(let index): text += "[\(index)]"
            }
        }
        return text
    }

    /// `document` nil: the trouble begins before its name is known.
    func error(in document: String?) -> FirestoreError {
        let place = steps.isEmpty ? document : document.map { "\($0), field \(path)" } ?? "field \(path)"
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
        case .malformed: "the record is no entity"
        case .noKey: "the entity has no key"
        case .noPath: "the path of the key is empty or too long, or an element of it has no id that a document can have"
        case .namespace: "the entity lies in a namespace of Datastore; Firestore has none"
        case .badText: "a text is no valid UTF-8"
        case .noName: "a property has no name"
        case .unknownMeaning(let number): "there is no type in Firestore for the property's meaning \(number)"
        case .wrongValue(let number): "the property's value does not fit its meaning \(number)"
        case .unknownValue(let name): "the property is \(name), which Firestore does not have"
        case .repeated: "the property is there more than once, but is not an array"
        case .tooDeep: "entities nest deeper than documents can"
        }
    }
}
