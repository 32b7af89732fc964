// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport

private func keeps<Value: Equatable>(_ value: Value, _ option: ReferenceWritableKeyPath<FirebaseOptions, Value>) -> Bool {
    let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
    options[keyPath: option] = value
    return options[keyPath: option] == value
}

extension CompatibilityTable {
    /// api.md 1.1.
    static func firebaseApp() -> CompatibilitySection {
        var section = CompatibilitySection("1.1", "FirebaseApp")
        section.row(
            .core,
            "class func configure()",
            differs: "without a `GoogleService-Info.plist` the options come from the environment; the project is `demo-hearth` unless it is set"
        ) { _ in
            try await OwnProcess.configuresTheDefaultApp()
            return true
        }
        section.row(.core, "class func configure(options: FirebaseOptions)") { _ in
            try await OwnProcess.configuresTheDefaultAppWithOptions()
            return true
        }
        section.row(.full, "class func configure(name: String, options: FirebaseOptions)") { _ in
            let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
            FirebaseApp.configure(name: "compatibility-named", options: options)
            let app = FirebaseApp.app(name: "compatibility-named")
            let wasThere = await app?.delete() ?? false
            return app?.name == "compatibility-named" && wasThere
        }
        section.row(.core, "class func app() -> FirebaseApp?") { _ in
            try await OwnProcess.configuresTheDefaultApp()
            let app: FirebaseApp? = FirebaseApp.app()
            return app == nil || app?.name == "__FIRAPP_DEFAULT"
        }
        section.row(.full, "class func app(name: String) -> FirebaseApp?") { _ in
            let known = Scratch.app()
            let app: FirebaseApp? = FirebaseApp.app(name: known.name)
            return app === known && FirebaseApp.app(name: "compatibility-unknown") == nil
        }
        section.row(.full, "class var allApps: [String : FirebaseApp]? { get }") { _ in
            let app = Scratch.app()
            let all: [String: FirebaseApp]? = FirebaseApp.allApps
            return all?[app.name] === app
        }
        section.row(.full, "func delete(_ completion: @escaping (Bool) -> Void)", "func delete() async -> Bool") { _ in
            let app = Scratch.app()
            let first: Bool = await completion { app.delete($0) }
            let second: Bool = await app.delete()
            return first && !second && FirebaseApp.app(name: app.name) == nil
        }
        section.row(.full, "var name: String { get }") { _ in
            let app = Scratch.app()
            let name: String = app.name
            return FirebaseApp.app(name: name) === app
        }
        section.row(.core, "var options: FirebaseOptions { get }") { here in
            let options: FirebaseOptions = here.db.app.options
            options.projectID = "changed"
            return here.db.app.options.projectID != "changed"
        }
        section.row(.full, "var isDataCollectionDefaultEnabled: Bool { get set }", differs: "kept until the process ends, without effect: no data is collected") { _ in
            let app = Scratch.app()
            let before: Bool = app.isDataCollectionDefaultEnabled
            app.isDataCollectionDefaultEnabled = false
            return before && !app.isDataCollectionDefaultEnabled
        }
        return section
    }

    /// api.md 1.2.
    static func firebaseOptions() -> CompatibilitySection {
        var section = CompatibilitySection("1.2", "FirebaseOptions")
        section.row(.core, "init(googleAppID: String, gcmSenderID: String)") { _ in
            let options = FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "4")
            return options.googleAppID == "1:2:ios:3" && options.gcmSenderID == "4"
        }
        section.row(.core, "init?(contentsOfFile plistPath: String)") { _ in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("compatibility-\(UUID().uuidString).plist")
            defer { try? FileManager.default.removeItem(at: file) }
            let list = try PropertyListSerialization.data(fromPropertyList: ["PROJECT_ID": "demo-plist"], format: .xml, options: 0)
            try list.write(to: file)
            return FirebaseOptions(contentsOfFile: file.path)?.projectID == "demo-plist" && FirebaseOptions(contentsOfFile: "/nowhere") == nil
        }
        section.row(.full, "class func defaultOptions() -> FirebaseOptions?", differs: "read again at each call; nil without a `GoogleService-Info.plist`") { _ in
            let options: FirebaseOptions? = FirebaseOptions.defaultOptions()
            return options == nil || options == FirebaseOptions.defaultOptions()
        }
        section.row(.core, "var projectID: String? { get set }", differs: "names the directory of the database; nil means the project `demo-hearth`") { _ in
            keeps("demo-project", \.projectID)
        }
        section.row(.full, "var apiKey: String? { get set }") { _ in
            keeps("key", \.apiKey)
        }
        section.row(.full, "var googleAppID: String { get set }") { _ in
            keeps("1:2:ios:3", \.googleAppID)
        }
        section.row(.full, "var gcmSenderID: String { get set }") { _ in
            keeps("sender", \.gcmSenderID)
        }
        section.row(.full, "var bundleID: String { get set }") { _ in
            keeps("com.example.app", \.bundleID)
        }
        section.row(.full, "var clientID: String? { get set }") { _ in
            keeps("client", \.clientID)
        }
        section.row(.full, "var databaseURL: String? { get set }") { _ in
            keeps("https://example.com", \.databaseURL)
        }
        section.row(.full, "var storageBucket: String? { get set }") { _ in
            keeps("bucket", \.storageBucket)
        }
        section.row(.full, "var appGroupID: String? { get set }") { _ in
            keeps("group", \.appGroupID)
        }
        return section
    }

    /// api.md 1.3.
    static func firebaseConfiguration() -> CompatibilitySection {
        var section = CompatibilitySection("1.3", "FirebaseConfiguration, logging, version")
        section.row(.full, "class var shared: FirebaseConfiguration { get }") { _ in
            let shared: FirebaseConfiguration = FirebaseConfiguration.shared
            return shared === FirebaseConfiguration.shared
        }
        section.row(.full, "func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel)") { _ in
            try await OwnProcess.setsTheLoggerLevel()
            return true
        }
        section.row(.full, "func loggerLevel() -> FirebaseLoggerLevel") { _ in
            try await OwnProcess.setsTheLoggerLevel()
            let level: FirebaseLoggerLevel = FirebaseConfiguration.shared.loggerLevel()
            return FirebaseLoggerLevel.min.rawValue...FirebaseLoggerLevel.max.rawValue ~= level.rawValue
        }
        section.row(.full, "enum FirebaseLoggerLevel : Int { case error = 3, warning = 4, notice = 5, info = 6, debug = 7; static var min, max }") { _ in
            let levels: [FirebaseLoggerLevel] = [.error, .warning, .notice, .info, .debug]
            return levels.map(\.rawValue) == [3, 4, 5, 6, 7] && FirebaseLoggerLevel.min == .error && FirebaseLoggerLevel.max == .debug
        }
        section.row(.full, "func FirebaseVersion() -> String", differs: "the version of Hearth") { _ in
            let version: String = FirebaseVersion()
            return !version.isEmpty
        }
        return section
    }

    /// api.md 1.4.
    static func timestamp() -> CompatibilitySection {
        var section = CompatibilitySection("1.4", "Timestamp")
        section.row(
            .core,
            "init(seconds: Int64, nanoseconds: Int32)",
            differs: "any two numbers make a value; one outside the years 1 to 9999 is rejected when it is written"
        ) { here in
            let outside = Timestamp(seconds: .max, nanoseconds: 0)
            let refused = await failure { try await here.fresh().setData(["at": outside]) }
            return Timestamp(seconds: 3, nanoseconds: 4).nanoseconds == 4 && isFailure(refused, .invalidArgument, naming: "at")
        }
        section.row(.core, "convenience init(date: Date)") { _ in
            let timestamp = Timestamp(date: Date(timeIntervalSince1970: -0.25))
            return timestamp.seconds == -1 && timestamp.nanoseconds == 750_000_000
        }
        section.row(.core, "convenience init()") { _ in
            abs(Timestamp().dateValue().timeIntervalSinceNow) < 60
        }
        section.row(.core, "func dateValue() -> Date") { _ in
            let date: Date = Timestamp(seconds: 1, nanoseconds: 500_000_000).dateValue()
            return date.timeIntervalSince1970 == 1.5
        }
        section.row(.core, "var seconds: Int64 { get }") { _ in
            let seconds: Int64 = Timestamp(seconds: 3, nanoseconds: 4).seconds
            return seconds == 3
        }
        section.row(.core, "var nanoseconds: Int32 { get }") { _ in
            let nanoseconds: Int32 = Timestamp(seconds: 3, nanoseconds: 4).nanoseconds
            return nanoseconds == 4
        }
        section.row(.full, "func compare(_ other: Timestamp) -> ComparisonResult") { _ in
            let order: ComparisonResult = Timestamp(seconds: 1, nanoseconds: 9).compare(Timestamp(seconds: 2, nanoseconds: 0))
            return order == .orderedAscending
        }
        section.row(.core, "extension Timestamp : Codable") { _ in
            let timestamp = Timestamp(seconds: 3, nanoseconds: 4)
            let text = try JSONEncoder().encode(["at": timestamp])
            let stored = try Firestore.Encoder().encode(["at": timestamp])
            return try JSONDecoder().decode([String: Timestamp].self, from: text) == ["at": timestamp] && stored["at"] as? Timestamp == timestamp
        }
        return section
    }
}
