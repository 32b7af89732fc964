// SPDX-License-Identifier: Apache-2.0
import FirebaseAuth
import FirebaseCore
import FirebaseFirestore
import Foundation

/// The location of the walkthrough's database. The guide's code is the same everywhere; this type contains what depends on the location.
public enum GuidePlace: Equatable, Sendable {
    /// Embedded, gone with the process.
    case memory
    /// Embedded, in a file.
    case file(URL)
    /// `hearth serve`, by its address.
    case server(host: String, port: Int)
    /// The official emulator, by its address.
    case emulator(host: String, port: Int)

    /// Parses the command line: nothing or `embedded`; `server` or `emulator`, which may be followed by `host:port`.
    public init(arguments: [String], environment: [String: String]) throws {
        let kind = arguments.first ?? "embedded"
        guard arguments.count <= (kind == "embedded" ? 1 : 2) else { throw Misunderstood() }
        switch kind {
        case "embedded":
            self = .file(try Self.makeDirectory().appendingPathComponent("guide.sqlite"))
        case "server", "emulator":
            let given = arguments.dropFirst().first ?? environment["FIRESTORE_EMULATOR_HOST"] ?? ""
            let address = given.isEmpty ? "127.0.0.1:8080" : given
            guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
                let port = Int(address[address.index(after: colon)...])
            else { throw Misunderstood() }
            let host = String(address[..<colon])
            self = kind == "server" ? .server(host: host, port: port) : .emulator(host: host, port: port)
        default: throw Misunderstood()
        }
    }

    public struct Misunderstood: Error {}

    private static func makeDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("hearth-guide-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    // MARK: The one line that changes

    /// Points the default Firestore instance, which the guide's view models use, at the location.
    ///
    /// Call before the first read or write, and again after `terminate()`.
    public func use() {
        let db = Firestore.firestore()
        var settings = db.settings
        switch self {
        case .memory:
            settings.storage = .memory
            Auth.auth().settings?.persistence = .memory
        case .file(let file):
            settings.storage = .file(file)
            Auth.auth().settings?.persistence = .directory(file.deletingLastPathComponent())
        case .server(let host, let port), .emulator(let host, let port):
            db.useEmulator(withHost: host, port: port)
            settings = db.settings
            // Only because this is a demo: an app leaves its cache where it is by default.
            settings.cacheDirectory = Self.cacheDirectory
            Auth.auth().settings?.persistence = .directory(Self.cacheDirectory)
        }
        db.settings = settings
    }

    private static let cacheDirectory = FileManager.default.temporaryDirectory
        .appendingPathComponent("hearth-guide-cache-\(UUID().uuidString.prefix(8).lowercased())")

    /// Configures the default app with a new project, so that on a server every run begins with an empty database.
    public static func configureApp() -> String {
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        let project = "demo-guide-\(UUID().uuidString.prefix(8).lowercased())"
        options.projectID = project
        FirebaseApp.configure(options: options)
        return project
    }

    /// Whether the server has accounts, and rules that admit only signed-in users (`guide.rules`): `dev/demo` starts it with both.
    var hasAccounts: Bool {
        guard case .server = self else { return false }
        return ProcessInfo.processInfo.environment["FIREBASE_AUTH_EMULATOR_HOST"]?.isEmpty == false
    }

    // MARK: Descriptions

    var isEmbedded: Bool {
        switch self {
        case .memory, .file: true
        case .server, .emulator: false
        }
    }

    /// The state of a commit when its completion is called.
    var commitIs: String { isEmbedded ? "durable" : "acknowledged" }

    /// The description at the top of the page.
    public var description: String {
        switch self {
        case .memory: "embedded database, no server, no network: in memory"
        case .file(let file): "embedded database, no server, no network: \(file.path)"
        case .server(let host, let port): "hearth serve at \(host):\(port)"
        case .emulator(let host, let port): "the official emulator at \(host):\(port)"
        }
    }

    /// What to do if no server listens.
    public var howToStart: String {
        switch self {
        case .memory, .file: ""
        case .server(_, let port):
            "start a server with `swift run hearth serve --port \(port)` in the folder of Hearth; `make demo-server` there does all of it"
        case .emulator(let host, let port):
            "start it with `gcloud emulators firestore start --host-port=\(host):\(port)`; `make demo-emulator` does all of it"
        }
    }
}
