// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRules
import Foundation
import Logging

/// Opens the embedded database behind a client without a cache: the authority is in the process.
func openEmbedded(
    _ location: DatabaseLocation, settings: SettingsValues, databaseID: DatabaseID
) throws(FirestoreError) -> any ClientBackend {
    let ruleSet = try settings.rules?.load()
    try location.prepare()
    let durability: Durability = settings.durability == .full ? .full : .relaxed
    let engine: Engine
    do throws(FirestoreError) {
        engine = try Engine.open(EngineConfiguration(location: location.place, durability: durability, databaseID: databaseID))
    } catch {
        throw error.namingVariable(of: location, settings: settings)
    }
    let client: DirectClient
    if let ruleSet, let user = settings.currentUser {
        let logger = FirebaseConfiguration.shared.logger(label: "hearth.firestore")
        for issue in ruleSet.issues { logger.warning("security rules: \(ruleSet.source.name): \(issue.line(in: ruleSet.source))") }
        var enforcing = RuleEnforcement.Settings()
        enforcing.strictLists = settings.strictLists
        // The caller is the app itself, and its developer wants to know.
        enforcing.explainsToCallers = true
        let rules = RuleEnforcement(RulesInForce(.ruleSet(ruleSet)), database: databaseID, settings: enforcing)
        client = ruledClient(of: user, over: engine, under: rules)
    } else {
        client = DirectClient(service: engine)
    }
    try client.indexAdministration?.setIndexPolicy(settings.indexPolicy.internalForm)
    return client
}

/// A client without a cache, under rules.
///
/// - Parameter clock: The time in the claims of users without a token.
/// - Parameter wrapping: Layers to add in front of the rules.
func ruledClient(
    of user: CurrentUser, over service: any DocumentService, under rules: RuleEnforcement, clock: any WallClock = SystemClock(),
    wrapping: (any DocumentService) -> any DocumentService = { $0 }
) -> DirectClient {
    let ruled = RuledService(service, rules, callerMayChange: true)
    user.attach(ruled, ClaimIssuer(projectID: rules.database.projectID, clock: clock))
    return DirectClient(service: wrapping(ruled), callers: user)
}

/// Deletes a database, unless another process has it open.
func deleteEmbedded(_ location: DatabaseLocation, databaseID: DatabaseID) async throws(FirestoreError) {
    guard case .file(let path) = location, FileManager.default.fileExists(atPath: path) else { return }
    do throws(FirestoreError) {
        // Opening takes the lock that another process would hold.
        let engine = try Engine.open(EngineConfiguration(location: location.place, databaseID: databaseID))
        await engine.shutdown()
    } catch {
        // A database that cannot be opened because it is damaged may be deleted.
        if error.code == .failedPrecondition { throw error }
    }
    try location.delete()
}

extension FirestoreSettings.IndexPolicy {
    var internalForm: IndexPolicy {
        switch self {
        case .automatic: .automatic
        case .manual: .manual
        case .required: .required
        }
    }
}

extension FirestoreError {
    /// The error of a second database, if it is `HEARTH_DATABASE` that gives both the same file.
    func namingVariable(
        of location: DatabaseLocation, settings: SettingsValues,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> FirestoreError {
        guard cause as? StoreReason == .holdsAnotherDatabase, case .automatic = settings.effectiveStorage, case .file(let path) = location,
            DatabaseVariables(environment).databaseFile == path
        else { return self }
        var copy = self
        copy.message +=
            "; HEARTH_DATABASE names this file for every database of the process: unset it, or set settings.storage of the others"
        return copy
    }
}

extension DatabaseLocation {
    fileprivate var place: EngineConfiguration.Location {
        switch self {
        case .memory: .memory
        case .file(let path): .file(path: path)
        }
    }
}
