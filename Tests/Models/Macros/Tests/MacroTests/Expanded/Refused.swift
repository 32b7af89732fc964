// SPDX-License-Identifier: Apache-2.0
// What @FirestoreModel rejects, and what it offers instead. Read by ExpansionTests.
import FirebaseFirestore
import FirestoreModelMacros

@FirestoreModel  // expect-error: @FirestoreModel needs a struct or a final class
enum Choice: String, Codable { case one }

@FirestoreModel  // expect-error: @FirestoreModel needs a struct or a final class
class Open: Codable {}

@FirestoreModel
struct Uncoded {  // expect-error: declares Codable here; fix: Uncoded: Codable
    var x: Int
}

@FirestoreModel
struct HalfCoded: Equatable {  // expect-error: declares Codable here; fix: Equatable, Codable
    var x: Int
}

@FirestoreModel
struct Literals: Codable {
    var number = 0  // expect-error: the property 'number' needs a type annotation; fix: number: Int
    var ratio = 0.5  // expect-error: the property 'ratio' needs a type annotation; fix: ratio: Double
    var flag = true  // expect-error: the property 'flag' needs a type annotation; fix: flag: Bool
    var text = ""  // expect-error: the property 'text' needs a type annotation; fix: text: String
    var other = Int.max  // expect-error: the property 'other' needs a type annotation
}

@FirestoreModel
struct Tuples: Codable {
    var pair: (Int, Int)  // expect-error: a tuple cannot be stored
    var (a, b) = (1, 2)  // expect-error: a tuple cannot be stored

    init(from decoder: any Decoder) throws { pair = (0, 0) }
    func encode(to encoder: any Encoder) throws {}
}

@FirestoreModel
struct Own: Codable {
    var x: Int
    struct Fields: Sendable {}  // expect-warning: writes nothing, because the type has a table
    static let fields = Fields()
}
