// SPDX-License-Identifier: Apache-2.0
// Correct uses beside what must not compile: no line of this file may be rejected.
import FirebaseFirestore
import FirestoreModels
import Foundation

func everything(_ db: Firestore, _ city: City, _ snapshot: DocumentSnapshot) async throws {
    let cities = db.collection("cities", of: City.self)
    let big = cities.where { $0.population > 1_000_000 && $0.country == "DE" }
        .order(by: \.population, descending: true).limit(to: 20)
    _ = cities.where(\.population > 1_000_000, \.country == "DE")
    _ = cities.where { $0.country.isIn(["DE", "AT"]) || $0.tags.contains("port") }
    _ = cities.where { $0.tags.containsAny(["port", "capital"]) && !($0.status == .closed) }
    _ = cities.where { $0.address.city == "Bonn" && $0.old.city != "Bonn" && $0.old.zip == "1" }
    _ = cities.where { $0.names["de"] == "Köln" }
    _ = cities.where { $0.mayor == nil || $0.mayor != nil }
    _ = cities.where(\.mayor == nil)
    _ = cities.where { $0.rank >= .high && $0.founded < Date(timeIntervalSince1970: 0) }
    _ = cities.where { $0.id == "b" || $0.id.isIn(["a", "c"]) }
    _ = cities.where(\.population > 1, \.country == "DE", \.area < 5, \.area > 1.5, \.population < 7, \.address.city == "Bonn", \.status == .open, \.names["de"] == "x")
    _ = cities.order(by: \.country).order(by: \.population).start(at: .value(\.country, "DE"), .value(\.population, 5))
    _ = cities.order(by: \.population).start(at: \.population, 1_000).end(before: \.population, 7).start(after: snapshot).end(before: snapshot)
    _ = cities.order(by: \.address.city).order(by: \.id)
    let page = try await big.get()
    for value in page.values { _ = value.population }
    for try await state in big.snapshots { _ = state.values }
    for try await page in cities.order(by: \.name).pages(of: 100) { _ = page.values }
    let n = try await big.count()
    let sum: Int = try await cities.sum(\.population)
    let area: Double = try await cities.sum(\.area)
    let mean: Double? = try await cities.average(\.population)
    let (count, total, average) = try await cities.aggregate(.count, .sum(\.population), .average(\.area))
    _ = (n, sum, area, mean, count + total, average)
    let berlin = cities.document("berlin")
    try await berlin.set(city)
    try await berlin.set(city, merge: true)
    let read: City? = try await berlin.get()
    _ = read
    try await berlin.update(\.population, to: 3_700_000)
    try await berlin.update(\.nickname, to: nil)
    try await berlin.update(\.mayor, to: nil)
    try await berlin.update(
        .increment(\.population, by: 10), .arrayUnion(\.tags, ["port"]), .set(\.address.zip, to: "10115"), .delete(\.nickname), .serverTimestamp(\.updatedAt),
        .set(\.names["de"], to: "Berlin"), .serverTimestamp(\.founded), .set(\.status, to: .open), .maximum(\.area, 5), .set(\.old.city, to: "x"))
    try await berlin.update(.arrayRemove(\.tags, ["x"]), .delete(\.names["fr"]), .set(\.nickname, to: nil), .set(\.mayor, to: nil), .minimum(\.population, 1))
    for try await state in berlin.snapshots { _ = try state.get()?.name }
    let batch = db.batch()
    batch.update(.increment(\.population, by: 1), at: berlin).delete(cities.document("x"))
    try batch.set(city, at: cities.document("y"))
    try await batch.commit()
    try await db.runTransaction { transaction, _ in
        guard let old = try? transaction.get(berlin) else { return nil }
        transaction.update(.set(\.population, to: old.population + 1), at: berlin)
        _ = try? transaction.get(cities.where { $0.population > 1 }).values.first?.name
        return nil
    }
    let landmarks = berlin.collection(City.landmarks)
    let first = try await landmarks.where { $0.city == ModelReference(berlin) }.get().values.first
    _ = try await first?.city.get()?.name
    _ = db.collectionGroup(City.landmarks).where { $0.id.reference == berlin.reference && $0.name.isEqual(to: "x") }
    _ = db.collectionGroup("landmarks", of: Landmark.self)
    let added = try await cities.add(city)
    try await added.delete()
    _ = cities.query.whereField("x", isEqualTo: 1)
}

func pipelines(_ db: Firestore) async throws {
    let cities = db.collection("cities", of: City.self)
    let big = cities.pipeline().where { $0.population > 1_000_000 && $0.country != "DE" || $0.tags.contains("port") }
        .where(\.country == "DE", \.mayor == nil).where(cities.field(\.name).startsWith("B") && !cities.field(\.area).exists())
        .sort(by: \.population, descending: true).sort(.ascending(\.address.city), .descending(\.rank)).offset(1).limit(20)
    for city in try await big.execute() { _ = city.population }
    for try await city in big.results(source: .cache) { _ = try city.get().name }
    print(try await big.explain(), try await big.execute(source: .server).failures.count)
    let (country, people) = (big.field(\.country), big.field(\.population).sum())
    _ = try await big.aggregate([CountAll().as("cities"), people.as("people")], groups: [country]).execute().results(as: Book.self)
    _ = db.collectionGroup(City.landmarks).pipeline().where { $0.name == "x" }.pipeline.delete()
    _ = cities.where { $0.area > 1 }.order(by: \.area).pipeline().sample(count: 5)
}
