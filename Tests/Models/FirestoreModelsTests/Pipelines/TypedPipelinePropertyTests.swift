// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import TestSupport
import Testing

/// Random conditions over random documents: a typed pipeline finds what a typed query finds.
struct TypedPipelinePropertyTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a condition finds the same documents in a pipeline as in a query`(seed: UInt64) async throws {
        let db = try TestFirestore().firestore
        let things = db.collection("things", of: Thing.self)
        var random = RandomThings(seed: seed)
        let batch = db.batch()
        for number in 0..<60 { batch.setData(random.document(), forDocument: things.reference.document("t\(number)")) }
        try await batch.commit()

        var compared = 0
        var found: Set<Int> = []
        for number in 0..<300 {
            let condition = random.condition(depth: 2)
            let ids: [String]
            do {
                ids = try await things.where(condition).query.getDocuments().documents.map(\.documentID)
            } catch FirestoreErrorCode.invalidArgument {
                // Queries have limits that pipelines do not have.
                continue
            }
            compared += 1
            found.insert(ids.count)
            let rows = try await things.pipeline().where(condition).pipeline.execute().results
            #expect(rows.compactMap(\.id).sorted() == ids.sorted(), "seed \(seed), condition \(number)")
            let asQuery = try await things.where(condition).pipeline().pipeline.execute().results
            #expect(asQuery.compactMap(\.id) == ids, "seed \(seed), query \(number)")
        }
        #expect(compared > 150 && found.count > 10, "\(compared) compared, \(found.count) different sizes")
    }
}

/// A value of any type that operands can have.
enum Anything: Codable, FirestoreOrderable {
    case null, boolean(Bool), integer(Int), double(Double), text(String), integers([Int])

    init(from decoder: any Decoder) throws { self = .null }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .integers(let value): try container.encode(value)
        }
    }
}

struct Thing: Codable {
    struct Inner: Codable { var x: Anything }

    @DocumentID var id: String?
    var a: Anything
    var b: Anything
    @ExplicitNull var n: Int?
    var list: [Anything]
    var inner: Inner
}

extension Thing: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<Thing, String, FieldKind.DocumentID>.documentID
        let a = ModelField<Thing, Anything, FieldKind.Required>(CodingKeys.a)
        let b = ModelField<Thing, Anything, FieldKind.Required>(CodingKeys.b)
        let n = ModelField<Thing, Int, FieldKind.ExplicitNull>(CodingKeys.n)
        let list = ModelField<Thing, [Anything], FieldKind.Required>(CodingKeys.list)
        let inner = ModelField<Thing, Inner, FieldKind.Required>(CodingKeys.inner)
    }
    static let fields = Fields()
}

extension Thing.Inner: FirestoreModel {
    struct Fields: Sendable { let x = ModelField<Thing.Inner, Anything, FieldKind.Required>(CodingKeys.x) }
    static let fields = Fields()
}

private struct RandomThings {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    // MARK: Documents

    mutating func document() -> [String: Any] {
        var fields: [String: Any] = [:]
        for name in ["a", "b", "n"] where below(5) > 0 { fields[name] = stored() }
        if below(4) > 0 { fields["list"] = below(6) == 0 ? stored() : (0..<below(4)).map { _ in scalar() } }
        if below(4) > 0 { fields["inner"] = below(6) == 0 ? stored() : below(3) == 0 ? [:] : ["x": stored()] }
        return fields
    }

    private mutating func stored() -> Any {
        switch below(10) {
        case 0: [below(3), below(3)]
        case 1: ["x": scalar()]
        default: scalar()
        }
    }

    private mutating func scalar() -> Any {
        switch below(9) {
        case 0: NSNull()
        case 1: Double.nan
        case 2: below(2) == 0
        case 3: Double(below(4))
        case 4: -0.0
        case 5: ["", "a", "b"][below(3)]
        case 6: Double(below(4)) + 0.5
        default: below(4)
        }
    }

    // MARK: Conditions

    mutating func condition(depth: Int) -> ModelCondition<Thing> {
        guard depth > 0, below(2) == 0 else { return comparison() }
        let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
        return below(2) == 0 ? left && right : left || right
    }

    private mutating func comparison() -> ModelCondition<Thing> {
        let fields = Thing.fields
        switch below(9) {
        case 0: return fields.list.contains(operand())
        case 1: return fields.list.containsAny(operands())
        case 2: return below(2) == 0 ? fields.n == nil : fields.n != nil
        case 3: return below(2) == 0 ? fields.id < "t\(below(60))" : fields.id.isIn(["t\(below(60))", "t\(below(60))"])
        case 4: return comparison(of: fields.inner.x)
        case 5: return comparison(of: fields.b)
        default: return comparison(of: fields.a)
        }
    }

    private mutating func comparison(of field: ModelField<Thing, Anything, FieldKind.Required>) -> ModelCondition<Thing> {
        switch below(9) {
        case 0: field == operand()
        case 1: field != operand()
        case 2: field < operand()
        case 3: field <= operand()
        case 4: field > operand()
        case 5: !(field < operand())
        case 6: field.isIn(operands())
        case 7: field.isNotIn(operands())
        default: !(field == operand())
        }
    }

    private mutating func operands() -> [Anything] { (0...below(3)).map { _ in operand() } }

    private mutating func operand() -> Anything {
        switch below(9) {
        case 0: .null
        case 1: .boolean(below(2) == 0)
        case 2: .double(Double(below(4)))
        case 3: .double(Double(below(4)) + 0.5)
        case 4: .text(["", "a", "b"][below(3)])
        case 5: .integers([below(3), below(3)])
        default: .integer(below(4))
        }
    }
}
