// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreModels
import Foundation

/// Typed queries beside the same queries with names.
enum TypedQueryCases {
    static var all: [BenchmarkCase] { [building, running, updating] }

    fileprivate struct Place: Codable {
        @DocumentID var id: String?
        var group: String
        var size: Int
        var tags: [String]
    }

    private static func typed(_ places: TypedCollection<Place>, _ size: Int) -> Query {
        places.where { $0.group == "a" && $0.size > size }.order(by: \.size).limit(to: 20).query
    }

    private static func classic(_ places: CollectionReference, _ size: Int) -> Query {
        places.whereField("group", isEqualTo: "a").whereField("size", isGreaterThan: size).order(by: "size").limit(to: 20)
    }

    /// The question: what do types cost before the query runs? The goal of less than 2 µs is shown by the result.
    private static var building: BenchmarkCase {
        BenchmarkCase("typed query of two conditions, built", unit: .nanoseconds, peer: "the same with names", goal: 0.95) {
            let database = try BenchmarkDatabase()
            let places = database.firestore.collection("places")
            let models = TypedCollection<Place>(places)
            return BenchmarkCase.Contenders(
                ours: { operations in for size in 0..<operations { blackHole(typed(models, size)) } },
                peer: { operations in for size in 0..<operations { blackHole(classic(places, size)) } },
                tearDown: { try await database.close() })
        }
    }

    /// The question: what do types cost in all?
    private static var running: BenchmarkCase {
        BenchmarkCase("typed query of 20 documents, built and run", unit: .microseconds, peer: "the same with names", goal: 0.95) {
            let database = try BenchmarkDatabase()
            let places = database.firestore.collection("places")
            let models = TypedCollection<Place>(places)
            for number in 0..<1000 {
                try await places.document("p\(number)").setData(["group": number % 2 == 0 ? "a" : "b", "size": number, "tags": ["x"]])
            }
            for _ in 0..<20 { _ = try await models.where { $0.group == "a" && $0.size > 7 }.order(by: \.size).limit(to: 20).get() }
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        let page = try await models.where { $0.group == "a" && $0.size > 7 }.order(by: \.size).limit(to: 20).get()
                        guard page.values.count == 20 else { throw BenchmarkFailure("\(page.values.count) documents") }
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        let page = try await classic(places, 7).getDocuments().documents(as: Place.self)
                        guard page.values.count == 20 else { throw BenchmarkFailure("\(page.values.count) documents") }
                    }
                }, tearDown: { try await database.close() })
        }
    }

    private static var updating: BenchmarkCase {
        BenchmarkCase("typed update of three fields", unit: .microseconds, peer: "the same with names", goal: 0.95) {
            let database = try BenchmarkDatabase()
            let place = database.firestore.document("places/a", of: Place.self)
            try await place.set(Place(group: "a", size: 0, tags: []))
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for number in 0..<operations {
                        try await place.update(.set(\.group, to: "b"), .increment(\.size, by: number), .arrayUnion(\.tags, ["x"]))
                    }
                },
                peer: { operations in
                    for number in 0..<operations {
                        try await place.reference.updateData([
                            "group": "b", "size": FieldValue.increment(Int64(number)), "tags": FieldValue.arrayUnion(["x"]),
                        ])
                    }
                }, tearDown: { try await database.close() })
        }
    }
}

extension TypedQueryCases.Place: FirestoreModel {
    struct Fields: Sendable {
        let id = ModelField<TypedQueryCases.Place, String, FieldKind.DocumentID>.documentID
        let group = ModelField<TypedQueryCases.Place, String, FieldKind.Required>(CodingKeys.group)
        let size = ModelField<TypedQueryCases.Place, Int, FieldKind.Required>(CodingKeys.size)
        let tags = ModelField<TypedQueryCases.Place, [String], FieldKind.Required>(CodingKeys.tags)
    }
    static let fields = Fields()
}
