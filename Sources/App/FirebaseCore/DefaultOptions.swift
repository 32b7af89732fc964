// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Finds the options of an app that is configured without options.
enum DefaultOptions {
    /// The project of an app whose options do not name one.
    static var fallbackProjectID: String { DatabaseID.fallbackProject }

    /// `GoogleService-Info.plist` in the working directory, or else in the main bundle.
    static func propertyListPath() -> String? {
        let name = "GoogleService-Info.plist"
        let here = FileManager.default.currentDirectoryPath + "/" + name
        if FileManager.default.fileExists(atPath: here) { return here }
        return Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
    }

    /// The options of the property list, or else of the environment, or else of the fallback project.
    static func find() -> OptionValues {
        if let path = propertyListPath(), let options = FirebaseOptions(contentsOfFile: path) {
            return OptionValues(options)
        }
        return fromEnvironment(ProcessInfo.processInfo.environment)
    }

    static func fromEnvironment(_ environment: [String: String]) -> OptionValues {
        let options = FirebaseOptions(googleAppID: "1:0:hearth:0", gcmSenderID: "0")
        options.projectID = DatabaseVariables(environment).project ?? fallbackProjectID
        return OptionValues(options)
    }
}
