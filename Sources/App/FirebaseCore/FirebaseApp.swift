// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// An app: a name and the options of its services.
///
/// Call `FirebaseApp.configure()` once at launch. `Firestore.firestore()` also works without it and then uses the
/// options `configure()` would load.
public final class FirebaseApp: NSObject, Sendable {
    static let defaultName = "__FIRAPP_DEFAULT"

    private struct Registry {
        var apps: [String: FirebaseApp] = [:]
        var implicit: FirebaseApp?
        var deletionHandlers: [@Sendable (FirebaseApp) async -> Void] = []
    }

    private static let registry = Mutex(Registry())

    /// The app's name.
    public let name: String
    private let values: OptionValues
    /// Whether other products are asked for the app's users.
    private let hasProducts: Bool
    private let wasDeleted = Mutex(false)
    private let collectsData = Mutex(true)
    private let userTokenProvider = Mutex<(any UserTokenProvider)?>(nil)
    private let databasesAreRemote = Mutex<Bool?>(nil)

    private init(name: String, values: OptionValues, hasProducts: Bool = true) {
        self.name = name
        self.hasProducts = hasProducts
        self.values = values
        super.init()
    }

    /// Creates the default app.
    ///
    /// The options come from `GoogleService-Info.plist` in the working directory or the main bundle, or else from the
    /// environment (`GOOGLE_CLOUD_PROJECT`), or else name the project `demo-hearth`. Calling it twice is a programming
    /// error: the process crashes with a message.
    public class func configure() {
        register(name: defaultName, values: DefaultOptions.find())
    }

    /// Creates the default app with options, which are copied.
    ///
    /// Calling it twice is a programming error: the process crashes with a message.
    public class func configure(options: FirebaseOptions) {
        register(name: defaultName, values: OptionValues(options))
    }

    /// Creates an additional app.
    ///
    /// A name that is empty, taken, or contains characters other than letters, digits, `-` and `_` is a programming
    /// error: the process crashes with a message.
    public class func configure(name: String, options: FirebaseOptions) {
        let isValid =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        if !isValid { endForMisuse("the name of an app must consist of letters, digits, '-' and '_'") }
        register(name: name, values: OptionValues(options))
    }

    private static func register(name: String, values: OptionValues) {
        let (isNew, differs) = registry.withLock { registry in
            guard registry.apps[name] == nil else { return (false, false) }
            let implicit = name == defaultName ? registry.implicit : nil
            let isSame = implicit?.values == values
            // Objects made before, such as the `Auth` of a listener, belong to the current app.
            registry.apps[name] = (isSame ? implicit : nil) ?? FirebaseApp(name: name, values: values)
            if implicit != nil { registry.implicit = nil }
            return (true, implicit != nil && !isSame)
        }
        if differs {
            CoreLog.error(
                "Auth or Firestore was used before FirebaseApp.configure, with other options than the app is configured with now: what was "
                    + "obtained until then, listeners too, does not belong to this app; call FirebaseApp.configure first, at launch")
        }
        guard !isNew else { return }
        endForMisuse(
            name == defaultName
                ? "the default app is configured already: call FirebaseApp.configure once, at launch"
                : "an app with this name is configured already; use another name, or delete it first")
    }

    /// The default app; nil before `configure`.
    public class func app() -> FirebaseApp? {
        registry.withLock { $0.apps[defaultName] }
    }

    /// The app with a name; nil if there is none.
    public class func app(name: String) -> FirebaseApp? {
        registry.withLock { $0.apps[name] }
    }

    /// All apps by name; nil if there are none.
    public class var allApps: [String: FirebaseApp]? {
        registry.withLock { $0.apps.isEmpty ? nil : $0.apps }
    }

    /// A copy of the app's options.
    public var options: FirebaseOptions { values.makeOptions() }

    /// Whether services may collect data by default. Hearth does not collect data: the value is stored and has no effect.
    public var isDataCollectionDefaultEnabled: Bool {
        get { collectsData.withLock { $0 } }
        set { collectsData.withLock { $0 = newValue } }
    }

    /// Removes the app and terminates its Firestore instances. `completion` gets false if it was removed before.
    public func delete(_ completion: @escaping (Bool) -> Void) {
        let box = CompletionBox(call: completion)
        Task { box.call(await delete()) }
    }

    /// Removes the app and terminates its Firestore instances. Returns false if it was removed before.
    public func delete() async -> Bool {
        let handlers: [@Sendable (FirebaseApp) async -> Void]? = Self.registry.withLock { registry in
            guard registry.apps[name] === self else { return nil }
            registry.apps[name] = nil
            wasDeleted.withLock { $0 = true }
            return registry.deletionHandlers
        }
        guard let handlers else { return false }
        for handler in handlers { await handler(self) }
        return true
    }

    /// Name and project.
    public override var description: String {
        "<FirebaseApp: name=\(name) project=\(values.projectID ?? "none")>"
    }
}

extension FirebaseApp {
    /// The default app. If none is configured, a substitute with the options `configure()` would load.
    package static func defaultOrImplicit() -> FirebaseApp {
        registry.withLock { registry in
            if let app = registry.apps[defaultName] { return app }
            if let app = registry.implicit { return app }
            let app = FirebaseApp(name: defaultName, values: DefaultOptions.find())
            registry.implicit = app
            return app
        }
    }

    /// An app without a registered name, for a database that no other app shares. It has no users: a user that is stored on the machine
    /// belongs to another app.
    package static func unregistered(projectID: String) -> FirebaseApp {
        let options = FirebaseOptions(googleAppID: "", gcmSenderID: "")
        options.projectID = projectID
        return FirebaseApp(name: defaultName, values: OptionValues(options), hasProducts: false)
    }

    /// Provides the token of the signed-in user; nil without FirebaseAuth.
    ///
    /// If FirebaseAuth is linked, it is found here also before the app has called `Auth.auth()`, so that a restored user is used by
    /// whatever asks first. A provider that a test sets takes precedence.
    package var userTokens: (any UserTokenProvider)? {
        get { userTokenProvider.withLock { $0 } ?? (hasProducts ? LinkedProducts.auth?.userTokens(of: self) : nil) }
        set { userTokenProvider.withLock { $0 = newValue } }
    }

    /// Whether a Firestore database of the app is on a server or at Google's; nil while there is none. FirebaseFirestore sets it,
    /// FirebaseAuth chooses the place of accounts by it.
    package var usesRemoteDatabase: Bool? { databasesAreRemote.withLock { $0 } }

    /// Once a database is on a server, the app uses one, even if others are embedded.
    package func noteDatabase(isRemote: Bool) {
        databasesAreRemote.withLock { $0 = isRemote || $0 == true }
    }

    /// The project, or `demo-hearth` if the options do not name one.
    package var projectID: String { values.projectID ?? Self.fallbackProjectID }

    /// The project of an app whose options do not name one.
    package static var fallbackProjectID: String { DefaultOptions.fallbackProjectID }

    /// The project; nil if the options do not name one.
    package var namedProjectID: String? {
        values.projectID.flatMap { $0.isEmpty || $0.utf8.elementsEqual(Self.fallbackProjectID.utf8) ? nil : $0 }
    }

    /// Whether the app was removed. Handlers that were registered before are called after this has become true.
    package var isDeleted: Bool { wasDeleted.withLock { $0 } }

    /// Registers a handler that is called when an app is deleted.
    package static func onDeletion(_ handler: @escaping @Sendable (FirebaseApp) async -> Void) {
        registry.withLock { $0.deletionHandlers.append(handler) }
    }
}

/// Carries a completion handler of the app developer into a task.
///
/// `@unchecked Sendable`: the caller hands the closure over, Hearth does not access it in between, and it is called once, by one task.
private struct CompletionBox: @unchecked Sendable {
    let call: (Bool) -> Void
}
