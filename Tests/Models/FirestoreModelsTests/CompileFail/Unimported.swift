// SPDX-License-Identifier: Apache-2.0
// Without `import FirestoreModels` nothing of it is seen (MP-39, MP row F19).
import FirebaseFirestore

func names(_ db: Firestore) {
    _ = db.collection("cities", of: Int.self)  // expect-error: extra argument 'of' in call
    _ = ModelField<Int, Int, Int>.self  // expect-error: cannot find 'ModelField' in scope
    let condition: ModelCondition<Int>? = nil  // expect-error: cannot find type 'ModelCondition' in scope
    let required: FieldKind.Required? = nil  // expect-error: cannot find type 'FieldKind' in scope
}

func guide(_ db: Firestore) async throws {
    _ = try await db.collection("cities").whereField("population", isGreaterThan: 1).order(by: "name").limit(to: 3).getDocuments()
    try await db.document("a/b").updateData(["population": FieldValue.increment(Int64(1)), FieldPath(["a", "b"]): FieldValue.delete()])
}
