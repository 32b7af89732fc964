public import Foundation

/// Which project an app belongs to, and the keys that go with it.
///
/// For the embedded database only `projectID` matters: it names the folder the database lies in.
public final class FirebaseOptions: NSObject, NSCopying {
    /// The Google Cloud project (`PROJECT_ID`).
    public var projectID: String?
    /// The API key (`API_KEY`).
    public var apiKey: String?
    /// The app's id (`GOOGLE_APP_ID`).
    public var googleAppID: String
    /// The sender id of cloud messaging (`GCM_SENDER_ID`).
    public var gcmSenderID: String
    /// The bundle id (`BUNDLE_ID`).
    public var bundleID: String
    /// The OAuth client (`CLIENT_ID`).
    public var clientID: String?
    /// The realtime database (`DATABASE_URL`).
    public var databaseURL: String?
    /// The storage bucket (`STORAGE_BUCKET`).
    public var storageBucket: String?
    /// The app group; never read from a file.
    public var appGroupID: String?

    /// Options with the two ids every app has; set `projectID` too.
    public init(googleAppID: String, gcmSenderID: String) {
        self.googleAppID = googleAppID
        self.gcmSenderID = gcmSenderID
        bundleID = Bundle.main.bundleIdentifier ?? ""
        super.init()
    }

    /// Reads a property list such as `GoogleService-Info.plist`; nil if the file is missing or no dictionary.
    public init?(contentsOfFile plistPath: String) {
        guard let data = FileManager.default.contents(atPath: plistPath),
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let entries = list as? [String: Any]
        else {
            CoreLog.error("no options can be read: there is no property list with a dictionary at \(plistPath)")
            return nil
        }
        func text(_ key: String) -> String? { entries[key] as? String }
        projectID = text("PROJECT_ID")
        apiKey = text("API_KEY")
        googleAppID = text("GOOGLE_APP_ID") ?? ""
        gcmSenderID = text("GCM_SENDER_ID") ?? ""
        bundleID = text("BUNDLE_ID") ?? Bundle.main.bundleIdentifier ?? ""
        clientID = text("CLIENT_ID")
        databaseURL = text("DATABASE_URL")
        storageBucket = text("STORAGE_BUCKET")
        super.init()
    }

    /// The options `FirebaseApp.configure()` would use, if there is a `GoogleService-Info.plist`; read afresh.
    public class func defaultOptions() -> FirebaseOptions? {
        DefaultOptions.propertyListPath().flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    /// Equal when every option is.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirebaseOptions else { return false }
        return OptionValues(self) == OptionValues(other)
    }

    /// Combines every option.
    public override var hash: Int { OptionValues(self).hashValue }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any { OptionValues(self).makeOptions() }
}

/// The options as a value: what an app keeps, and what equality compares.
struct OptionValues: Hashable, Sendable {
    var projectID: String?
    var apiKey: String?
    var googleAppID: String
    var gcmSenderID: String
    var bundleID: String
    var clientID: String?
    var databaseURL: String?
    var storageBucket: String?
    var appGroupID: String?

    init(_ options: FirebaseOptions) {
        projectID = options.projectID
        apiKey = options.apiKey
        googleAppID = options.googleAppID
        gcmSenderID = options.gcmSenderID
        bundleID = options.bundleID
        clientID = options.clientID
        databaseURL = options.databaseURL
        storageBucket = options.storageBucket
        appGroupID = options.appGroupID
    }

    func makeOptions() -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
        options.projectID = projectID
        options.apiKey = apiKey
        options.bundleID = bundleID
        options.clientID = clientID
        options.databaseURL = databaseURL
        options.storageBucket = storageBucket
        options.appGroupID = appGroupID
        return options
    }
}
