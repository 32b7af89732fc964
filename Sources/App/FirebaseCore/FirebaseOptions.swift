// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The project of an app, and the keys that belong to it.
///
/// The embedded database uses only `projectID`, which names the folder of the database.
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

    /// Creates options with the two ids that every app has. Set `projectID`, too.
    public init(googleAppID: String, gcmSenderID: String) {
        self.googleAppID = googleAppID
        self.gcmSenderID = gcmSenderID
        bundleID = Bundle.main.bundleIdentifier ?? ""
        super.init()
    }

    /// Reads a property list such as `GoogleService-Info.plist`; nil if the file is missing or not a dictionary.
    public init?(contentsOfFile plistPath: String) {
        guard let data = FileManager.default.contents(atPath: plistPath),
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let entries = list as? [String: Any]
        else {
            CoreLog.error("the options cannot be read: \(plistPath) is not a property list with a dictionary")
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

    /// The options of `GoogleService-Info.plist`, read at each call; nil if the file does not exist.
    public class func defaultOptions() -> FirebaseOptions? {
        DefaultOptions.propertyListPath().flatMap { FirebaseOptions(contentsOfFile: $0) }
    }

    /// Equal when all options are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirebaseOptions else { return false }
        return OptionValues(self) == OptionValues(other)
    }

    /// Combines all options.
    public override var hash: Int { OptionValues(self).hashValue }

    /// An independent copy.
    public func copy(with zone: NSZone? = nil) -> Any { OptionValues(self).makeOptions() }
}

/// The options as a value: stored by an app, and compared for equality.
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
