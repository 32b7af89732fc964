// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Fields, constants, and values where an expression may stand (PL-201).
@Suite struct LiteralTests {
    let db = Scratch.firestore()

    @Test func `fields are named in dotted notation, by paths, or with names in back-ticks`() {
        check(Field("a"), "a")
        check(Field("a.b"), "a.b")
        check(Field(FieldPath(["a.b", "c"])), "`a.b`.c")
        check(Field("`a.b`.c"), "`a.b`.c")
        check(Field("level.1"), "level.`1`")
        #expect(Field("a.b").fieldName == "a.b" && Field(FieldPath(["a.b"])).fieldName == "`a.b`")
        #expect(Field(FieldPath.documentID()).fieldName == "__name__" && Field("a..b").fieldName == "a..b")
    }

    @Test func `constants of every type`() {
        check(Constant(7), "7")
        check(Constant(2.5), "2.5")
        check(Constant("x"), "\"x\"")
        check(Constant(true), "true")
        check(Constant(Data([0, 255])), "b\"00FF\"")
        check(Constant(GeoPoint(latitude: 1, longitude: 2)), "geo_point(1.0, 2.0)")
        check(Constant(Timestamp(seconds: 1, nanoseconds: 5_000_000)), "timestamp(\"1970-01-01T00:00:01.005Z\")")
        check(Constant(Date(timeIntervalSince1970: 1)), "timestamp(\"1970-01-01T00:00:01Z\")")
        check(Constant(VectorValue([1, 0.5])), "vector(1.0, 0.5)")
        check(Constant.nil, "null")
        let project = db.app.options.projectID ?? ""
        #expect(text(Constant(db.document("a/b"))).contains("databases/(default)/documents/a/b") && !project.isEmpty)
    }

    @Test func `values become constants, dictionaries and arrays calls`() {
        let nothing: Int? = nil
        let values: [any Sendable] = [
            1, Int64(2), 2.5, Float(0.5), "x", false, Data([1]), Date(timeIntervalSince1970: 1), NSNull(), nothing as any Sendable, VectorValue([1]), TimeUnit.day,
        ]
        check(
            ArrayExpression(values),
            "array(1, 2, 2.5, 0.5, \"x\", false, b\"01\", timestamp(\"1970-01-01T00:00:01Z\"), null, null, vector(1.0), \"day\")")
        check(MapExpression(["b": Field("x"), "a": [1, ["c": 2]] as [any Sendable]]), "map(\"a\", array(1, map(\"c\", 2)), \"b\", x)")
        check(MapExpression([:]), "map()")
        check(ArrayExpression([]), "array()")
        let optional: [String: Int?] = ["n": nil]
        check(Field("m").equal(optional), "equal(m, map(\"n\", null))")
        check(Field("m").equal([1, nothing]), "equal(m, array(1, null))")
    }

    @Test func `an expression in a variable of another type is still that expression`() {
        let value: any Sendable = Field("x")
        check(Field("a").add(value), "add(a, x)")
        let anything: (any FirebaseFirestore.Expression)? = Field("x")
        check(ArrayExpression([anything]), "array(x)")
    }

    @Test func `values that cannot be sent are reported by the execution`() async {
        struct Custom: Sendable {}
        let refused: [any Sendable] = [
            Custom(), UInt64.max, FieldValue.delete(), Timestamp(seconds: 1 << 40, nanoseconds: 0), GeoPoint(latitude: 99, longitude: 0),
        ]
        for wrong in refused {
            let pipeline = db.pipeline().collection("c").where(Field("a").equal(wrong))
            let error = await failure { try await pipeline.execute() }
            #expect((error as? FirestoreErrorCode)?.code == .invalidArgument, "\(wrong): \(String(describing: error))")
        }
    }

    @Test func `values that nest without end are refused, not followed`() async {
        var deep: [String: any Sendable] = ["x": 1]
        for _ in 0..<2000 { deep = ["x": deep] }
        let error = await failure { [deep] in try await db.pipeline().collection("c").where(Field("a").equal(deep)).execute() }
        #expect((error as? FirestoreErrorCode)?.code == .invalidArgument)
        var sum = Field("a").add(1)
        for _ in 0..<100_000 { sum = sum.add(1) }
        let tooDeep = await failure { [sum] in try await db.pipeline().collection("c").where(sum.equal(1)).execute() }
        #expect(tooDeep.map { "\($0)".contains("100 levels") } == true)
    }
}
