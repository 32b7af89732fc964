// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirebaseFirestore
import Foundation
import Guide

/// The Swift half of the guide as a page: a client of the server that shows it. Reads the page's documents with the code of the
/// sections, and writes down what came out.
@main
@MainActor
final class GuideLive {
    /// The project of the guide, as in `hearth guide`.
    private static let project = "demo-guide"

    static func main() async throws {
        let given = CommandLine.arguments.dropFirst().first ?? ProcessInfo.processInfo.environment["FIRESTORE_EMULATOR_HOST"] ?? ""
        let address = given.isEmpty ? "127.0.0.1:8080" : given
        guard CommandLine.arguments.count <= 2, let colon = address.lastIndex(of: ":"),
            let port = Int(address[address.index(after: colon)...])
        else {
            print("usage: guide-live [HOST:PORT]")
            print("       without an address: FIRESTORE_EMULATOR_HOST, or 127.0.0.1:8080")
            exit(2)
        }
        FirebaseConfiguration.shared.setLoggerLevel(.error)
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = project
        FirebaseApp.configure(options: options)
        FirebaseApp.configure(name: "traveller", options: options)
        guard let traveller = FirebaseApp.app(name: "traveller") else { return }
        let host = String(address[..<colon])
        do {
            let live = GuideLive(
                place(Firestore.firestore(), host, port), traveller: place(Firestore.firestore(app: traveller), host, port))
            try await live.run(address)
        } catch {
            print("The guide's Swift half has stopped: \(error.localizedDescription)")
            exit(1)
        }
    }

    private static func place(_ db: Firestore, _ host: String, _ port: Int) -> Firestore {
        db.useEmulator(withHost: host, port: port)
        let settings = db.settings
        settings.cacheSettings = MemoryCacheSettings()
        db.settings = settings
        return db
    }

    private let db: Firestore
    private let process: DocumentReference
    private let sections = Sections()
    private let colors = ColorsSection()
    private let offline: OfflineSection
    private var latest: [String: DocumentSnapshot] = [:]
    private var signals: [any DispatchSourceSignal] = []
    private var isStopping = false

    private init(_ db: Firestore, traveller: Firestore) {
        self.db = db
        process = db.document("guide-live/process")
        offline = OfflineSection(traveller, Report(on: "offline", in: db))
    }

    private func run(_ address: String) async throws {
        stopAtSignals()
        try await Samples().writeMissing(to: db)
        for document in sections.documents { listen(to: document) }
        colors.start(Report(on: "colors", in: db))
        offline.start()
        takeRequests()
        print("The guide's Swift half runs, with the server at \(address).")
        fflush(nil)
        // The page takes a process that is silent for some seconds as absent.
        while !isStopping {
            try await process.setData(["beat": FieldValue.serverTimestamp()])
            try await Task.sleep(for: .seconds(2))
        }
    }

    private func listen(to document: LiveDocument) {
        let report = Report(on: document.path, in: db)
        db.document(document.path).addSnapshotListener { [weak self] snapshot, error in
            MainActor.assumeIsolated {
                if let error { report.failed(error) }
                guard let self, let snapshot else { return }
                self.latest[document.path] = snapshot
                document.read(snapshot, report)
            }
        }
    }

    // MARK: What the page asks for

    private func takeRequests() {
        db.collection("guide-requests").addSnapshotListener { [weak self] snapshot, _ in
            MainActor.assumeIsolated {
                for change in snapshot?.documentChanges ?? [] where change.type == .added { self?.take(change.document) }
            }
        }
    }

    private func take(_ request: QueryDocumentSnapshot) {
        request.reference.delete()
        let path = request["path"] as? String ?? ""
        Task {
            do {
                switch request["action"] as? String {
                case "write":
                    let document = sections.documents.first { $0.path == path }
                    if let snapshot = latest[path] { try document?.writeBack?(snapshot) }
                case "add-color": colors.add()
                case "disconnect": try await offline.set(isOnline: false)
                case "connect": try await offline.set(isOnline: true)
                case "add-draft": try offline.add()
                default: break
                }
            } catch {
                print("\(request["action"] ?? "a request") \(path): \(error.localizedDescription)")
            }
        }
    }

    // MARK: The end

    /// The page is notified immediately that the process has ended.
    private func stopAtSignals() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { [weak self] in
                MainActor.assumeIsolated {
                    guard let self, !self.isStopping else { exit(0) }
                    self.isStopping = true
                    self.process.delete { _ in exit(0) }
                    // Without a server nothing answers.
                    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { exit(0) }
                }
            }
            source.resume()
            signals.append(source)
        }
    }
}
