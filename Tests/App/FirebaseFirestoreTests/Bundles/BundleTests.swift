// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// `loadBundle` and `getQuery` (LO-12).
@Suite(.only(.bundles)) struct BundleTests {
    let db = Scratch.firestore()
    let bundle: BundleText

    init() { bundle = BundleText(project: db.app.options.projectID ?? "") }

    /// Where the documents of a bundle are: the server of a cache does not have them.
    private let source: FirestoreSource = Mode.current == .embedded ? .default : .cache

    private func n(_ path: String) async throws -> Int? { try await db.document(path).getDocument(source: source).get("n") as? Int }

    @Test func `documents and named queries exist when the load returns`() async throws {
        var bundle = bundle
        bundle.document("cities/a", n: 1)
        bundle.document("cities/b", n: 2)
        bundle.document("cities/b/sights/s", fields: #"{"name":{"stringValue":"ä"},"at":{"timestampValue":{"seconds":"3","nanos":5000}}}"#)
        bundle.query("big", #"{"from":[{"collectionId":"cities"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"GREATER_THAN","value":{"integerValue":"1"}}}}"#)
        let progress = try await db.loadBundle(bundle.data)
        #expect(progress.state == .success && progress.documentsLoaded == 3 && progress.totalDocuments == 3)
        #expect(progress.bytesLoaded == progress.totalBytes && progress.totalBytes == bundle.body.utf8.count)
        #expect(try await n("cities/a") == 1)
        let sight = try await db.document("cities/b/sights/s").getDocument(source: source)
        #expect(sight.get("name") as? String == "ä" && (sight.get("at") as? Timestamp)?.nanoseconds == 5000)
        let query = try #require(await db.getQuery(named: "big"))
        #expect(try await query.getDocuments(source: source).documents.map(\.documentID) == ["b"])
        #expect(query == db.collection("cities").whereField("n", isGreaterThan: 1))
        #expect(await db.getQuery(named: "small") == nil)
    }

    @Test func `a named query may count from the end`() async throws {
        var bundle = bundle
        for n in 1...4 { bundle.document("cities/\(n)", n: n) }
        bundle.query("last", #"{"from":[{"collectionId":"cities"}],"orderBy":[{"field":{"fieldPath":"n"}}],"limit":{"value":2}}"#, limitType: "LAST")
        bundle.query("first", #"{"from":[{"collectionId":"cities"}],"orderBy":[{"field":{"fieldPath":"n"}}],"limit":2}"#, limitType: nil)
        try await db.loadBundle(bundle.data)
        let last = try #require(await db.getQuery(named: "last"))
        #expect(try await last.getDocuments(source: source).documents.map(\.documentID) == ["3", "4"])
        #expect(last == db.collection("cities").order(by: "n").limit(toLast: 2))
        let first: Query? = await completion { done in db.getQuery(named: "first") { done($0) } }
        #expect(first == db.collection("cities").order(by: "n").limit(to: 2))
    }

    @Test func `the task reports every step to its observers on the queue of the settings`() async throws {
        var bundle = bundle
        for n in 0..<600 { bundle.document("cities/\(n)", n: n) }
        let told = Collector<LoadBundleTaskProgress>()
        let removed = Collector<LoadBundleTaskProgress>()
        let done = Collector<LoadBundleTaskProgress?>()
        func start() -> LoadBundleTask {
            db.loadBundle(bundle.data) { progress, error in
                #expect(error == nil)
                done.append(progress)
            }
        }
        let task = start()
        let handle = task.addObserver { removed.append($0) }
        task.removeObserverWith(handle: handle)
        task.addObserver { told.append($0) }
        let final = await done.first(1)[0]
        #expect(final?.state == .success && final?.documentsLoaded == 600)
        let steps = await told.elements { $0.last?.state == .success }
        #expect(steps.map(\.documentsLoaded) == steps.map(\.documentsLoaded).sorted())
        #expect(steps.dropLast().allSatisfy { $0.state == .inProgress && $0.totalDocuments == 600 })
        #expect(steps.last == final)
        // A late observer gets the final progress.
        let late = Collector<LoadBundleTaskProgress>()
        let lateHandle = task.addObserver { late.append($0) }
        #expect(await late.first(1) == steps.suffix(1))
        #expect(lateHandle != handle)
        task.removeAllObservers()
        #expect(removed.elements.isEmpty)
    }

    @Test func `a bundle comes through a stream as well`() async throws {
        var bundle = bundle
        bundle.document("cities/a", fields: #"{"n":{"integerValue":"1"},"text":{"stringValue":"\#(String(repeating: "x", count: 200_000))"}}"#)
        let progress = try await db.loadBundle(InputStream(data: bundle.data))
        #expect(progress.state == .success)
        #expect(try await n("cities/a") == 1)
        let other = Scratch.firestore()
        var second = BundleText(project: other.app.options.projectID ?? "")
        second.document("cities/b", n: 2)
        let data = second.data
        let result: LoadBundleTaskProgress? = await completion { done in
            other.loadBundle(InputStream(data: data)) { progress, _ in done(progress) }
        }
        #expect(result?.state == .success)
        #expect(isFailure(await failure { try await other.loadBundle(InputStream(fileAtPath: "/nowhere")!) }, .unknown))
    }

    @Test func `loading again, or an older one of the same id, does nothing`() async throws {
        var bundle = bundle
        bundle.createTime = 5_000_000
        bundle.document("cities/a", n: 1)
        try await db.loadBundle(bundle.data)
        try await db.document("cities/a").delete()
        let again = try await db.loadBundle(bundle.data)
        #expect(again.state == .success && again.documentsLoaded == 1 && again.bytesLoaded == again.totalBytes)
        bundle.createTime = 4_000_000
        try await db.loadBundle(bundle.data)
        #expect(try await n("cities/a") == nil)
        bundle.createTime = 6_000_000
        try await db.loadBundle(bundle.data)
        // A server's answer, here to the deletion, is newer than the document in the bundle.
        #expect(try await n("cities/a") == (Mode.current == .embedded ? 1 : nil))
    }

    @Test func `a newer bundle replaces documents of an older one, except documents that the app has changed`() async throws {
        var first = bundle
        for id in ["a", "b", "c", "d"] { first.document("cities/\(id)", n: 1) }
        try await db.loadBundle(first.data)
        try await db.document("cities/b").setData(["n": 7])
        // Of another id; made later, though long before the app loaded the first.
        var second = bundle
        second.id = "other"
        second.createTime = 2_000_000
        for id in ["a", "b"] { second.document("cities/\(id)", n: 2, updated: 2_000_000) }
        second.missing("cities/c", read: 2_000_000)
        second.missing("cities/x", read: 2_000_000)
        try await db.loadBundle(second.data)
        #expect(try await n("cities/a") == 2)
        #expect(try await n("cities/b") == 7)
        #expect(try await n("cities/c") == nil)
        // Made before the second: its documents are older.
        var third = bundle
        third.id = "third"
        third.createTime = 1_500_000
        for id in ["a", "d"] { third.document("cities/\(id)", n: 3, updated: 1_400_000) }
        try await db.loadBundle(third.data)
        #expect(try await n("cities/a") == 2)
        #expect(try await n("cities/d") == 3)
        // From the future: newer than what the app did.
        var fourth = bundle
        fourth.id = "fourth"
        fourth.createTime = 8_000_000_000_000_000
        fourth.document("cities/b", n: 4, updated: 8_000_000_000_000_000)
        try await db.loadBundle(fourth.data)
        #expect(try await n("cities/b") == 4)
    }

    @Test func `listeners are notified of a loaded bundle`() async throws {
        var bundle = bundle
        for n in 0..<300 { bundle.document("cities/\(n)", n: n) }
        let told = Collector<Int>()
        let options = SnapshotListenOptions().withSource(Mode.current == .embedded ? .default : .cache)
        let registration = db.collection("cities").addSnapshotListener(options: options) { snapshot, _ in told.append(snapshot?.count ?? -1) }
        defer { registration.remove() }
        try await db.loadBundle(bundle.data)
        _ = await told.elements { $0.last == 300 }
    }

    /// Each makes a bundle that is damaged in one way, and a word of the message.
    static var damages: [(name: String, word: String, text: (BundleText) -> String)] {
        [
            ("nothing", "empty", { _ in "" }),
            ("no metadata", "metadata", { $0.body }),
            ("more documents announced", "documents", { $0.text(documents: 3) }),
            ("fewer documents announced", "documents", { $0.text(documents: 1) }),
            ("other bytes announced", "bytes", { $0.text(bytes: 7) }),
            ("another version", "version", { $0.text(version: 2) }),
            ("cut off", "middle", { String($0.text().dropLast(10)) }),
            ("cut off in a length", "middle", { $0.text() + "12" }),
            ("no length", "length", { $0.text() + "{}" }),
            ("no digits", "digits", { $0.text() + "x12{}" }),
            ("a giant", "must not be longer than", { $0.text() + "99999999999999999999{}" }),
            ("no JSON", "JSON", { $0.text() + "3{a}" }),
            ("unknown element", "is not an element of a bundle", { $0.text() + BundleText.framed(#"{"picture":{}}"#) }),
            ("metadata twice", "once", { $0.text() + BundleText.framed(#"{"metadata":{"id":"a","createTime":"1970-01-01T00:00:00Z","version":1}}"#) }),
            ("a document by itself", "must follow its metadata", { bundle in
                var bundle = bundle
                bundle.add(#"{"document":{"name":"projects/\#(bundle.project)/databases/(default)/documents/c/d"}}"#)
                return bundle.text()
            }),
            ("a document announced only", "ends before a document", { bundle in
                var bundle = bundle
                bundle.add(#"{"documentMetadata":{"name":"projects/\#(bundle.project)/databases/(default)/documents/c/d","exists":true}}"#)
                return bundle.text()
            }),
            ("another project", "project", { bundle in
                var other = BundleText(project: "another")
                other.document("c/d", n: 1)
                return other.text()
            }),
            ("a bad value", "kind of value", { bundle in
                var bundle = bundle
                bundle.document("c/d", fields: #"{"a":{"number":1}}"#)
                return bundle.text()
            }),
            ("a document no database takes", "reserved", { bundle in
                var bundle = bundle
                bundle.document("c/d", fields: #"{"__a__":{"integerValue":"1"}}"#)
                return bundle.text()
            }),
            ("a bad query", "LIKE", { bundle in
                var bundle = bundle
                bundle.query("q", #"{"from":[{"collectionId":"c"}],"orderBy":"LIKE"}"#)
                return bundle.text()
            }),
        ]
    }

    @Test(arguments: damages.indices)
    func `a damaged bundle gives an error with a reason and the progress`(index: Int) async throws {
        let (name, word, text) = Self.damages[index]
        var bundle = bundle
        bundle.document("cities/a", n: 1)
        bundle.document("cities/b", n: 2)
        let data = Data(text(bundle).utf8)
        let (progress, error): (LoadBundleTaskProgress?, (any Error)?) = await completion { done in
            db.loadBundle(data) { done(($0, $1)) }
        }
        #expect(progress?.state == .error)
        #expect(isFailure(error, .unknown), "\(name)")
        let message = error.map { ($0 as NSError).localizedDescription } ?? ""
        #expect(message.contains(word) || name == "a bad query" || name == "a document no database takes", "\(name): \(message)")
        // It does not count as loaded.
        #expect(try await db.loadBundle(bundle.data).state == .success)
        #expect(try await n("cities/b") == 2)
    }

    @Test func `random damage never ends the process`() async throws {
        var bundle = bundle
        bundle.document("cities/a", fields: #"{"n":{"integerValue":"1"},"m":{"mapValue":{"fields":{"x":{"bytesValue":"AAEC"}}}}}"#)
        bundle.query("q", #"{"from":[{"collectionId":"cities"}],"limit":3}"#)
        let good = Array(bundle.text().utf8)
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<300 {
            var bytes = good
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let error = await failure { try await db.loadBundle(Data(bytes)) }
            #expect(error == nil || isFailure(error, .unknown))
        }
    }

    @Test func `a terminated instance loads nothing`() async throws {
        try await db.terminate()
        #expect(isFailure(await failure { try await db.loadBundle(bundle.data) }, .unknown, naming: "terminated"))
        #expect(await db.getQuery(named: "q") == nil)
    }
}

/// Bundles in a file.
@Suite(.only(.files)) struct BundleFileTests {
    @Test func `queries and the list of bundles survive closing`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-bundles-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = Scratch.app()
        var bundle = BundleText(project: app.options.projectID ?? "")
        bundle.document("cities/a", n: 1)
        bundle.query("all", #"{"from":[{"collectionId":"cities"}]}"#)
        for round in 0..<2 {
            let db = Firestore.firestore(app: app)
            let settings = db.settings
            settings.storage = .file(folder.appendingPathComponent("data.sqlite"))
            db.settings = settings
            if round == 0 { try await db.loadBundle(bundle.data) }
            let query = try #require(await db.getQuery(named: "all"))
            #expect(try await query.getDocuments().count == 1)
            if round == 1 {
                try await db.document("cities/a").delete()
                try await db.loadBundle(bundle.data)
                #expect(try await query.getDocuments().isEmpty)
            }
            try await db.terminate()
        }
    }
}
