// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation

/// What the driver asks an app in Swift to do with a server: the public API, as an app calls it.
struct AppMeasurements {
    let db: Firestore
    /// Documents the driver has put into `coll`.
    private static let loaded = 10_000

    init(port: Int) {
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "bench"
        FirebaseApp.configure(options: options)
        db = Firestore.firestore()
        db.useEmulator(withHost: "127.0.0.1", port: port)
    }

    private var loaded: CollectionReference { db.collection("coll") }

    /// Documents read one after the other, decoded: the middle one in microseconds.
    func oneByOne(count: Int) async throws -> Double {
        var took: [Double] = []
        for number in 0..<count {
            let start = Self.now
            let document = try await loaded.document(BenchDocument.id(number * 7_919 % Self.loaded)).getDocument(as: BenchDocument.self)
            took.append((Self.now - start) * 1e6)
            guard document.grp == number * 7_919 % Self.loaded % 100 else { throw ProbeFailure("another document came") }
        }
        return took.sorted()[took.count / 2]
    }

    /// Documents per second that so many tasks read over the one connection, decoded.
    func sideBySide(tasks: Int, seconds: Double) async throws -> Double {
        let start = Self.now
        let read = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var number = task * 151
                    var read = 0
                    while Self.now - start < seconds {
                        number = (number + 7_919) % Self.loaded
                        _ = try await loaded.document(BenchDocument.id(number)).getDocument(as: BenchDocument.self)
                        read += 1
                    }
                    return read
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(read) / (Self.now - start)
    }

    /// Documents per second added without waiting for each, until all are acknowledged.
    func addedWithoutWaiting(count: Int) async throws -> Double {
        let added = db.collection("added")
        let start = Self.now
        for number in 0..<count { _ = try added.addDocument(from: BenchDocument(number)) }
        try await db.waitForPendingWrites()
        return Double(count) / (Self.now - start)
    }

    /// Documents per second added one after the other, each acknowledged before the next.
    func addedOneByOne(count: Int) async throws -> Double {
        let added = db.collection("added")
        let start = Self.now
        for number in 0..<count { try await added.document().setData(from: BenchDocument(number)).acknowledged }
        return Double(count) / (Self.now - start)
    }

    /// Says at what time of the machine's clock each change of the document arrives, for ever.
    func listen() async throws {
        for try await snapshot in db.document("ticks/doc0000000").snapshots where snapshot.exists { say("\(Self.now)") }
    }

    /// Seconds of the clock that the driver reads, too.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
