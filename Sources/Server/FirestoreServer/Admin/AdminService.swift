// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
package import FirestoreRPC
package import FirestoreWire
import Foundation

/// `google.firestore.admin.v1.FirestoreAdmin` and the operations of it, for administrators.
///
/// Every method takes its request in JSON and answers in JSON; gRPC converts both. What it manages is stored in the databases
/// themselves, as facts below `hearth/admin/`, so that it travels with them.
package final class AdminService: RPCService {
    let databases: DatabaseRegistry
    let clock: any WallClock
    /// nil for a process that reads and writes no export folders.
    let folders: (any DocumentFolders)?
    /// nil without an archive.
    let backups: (any DatabaseBackups)?
    let transfers: RunningTransfers
    let restores: RunningRestores
    /// Operations of databases that are gone, or not there yet.
    let detached = DetachedOperations()
    /// Held while settings are read and replaced, so that no change gets lost.
    let turn = Turn()
    let makeUID: @Sendable () -> String
    private let identification: CallIdentification
    private let admission: CallAdmission
    private let paths: [String: AdminMethod]

    package init(
        _ service: FirestoreService, clock: any WallClock = SystemClock(), folders: (any DocumentFolders)? = nil,
        backups: (any DatabaseBackups)? = nil,
        makeUID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        databases = service.databases
        identification = service.identification
        admission = service.admission
        self.clock = clock
        self.folders = folders
        self.makeUID = makeUID
        self.backups = backups
        transfers = RunningTransfers(clock: clock)
        restores = RunningRestores(detached, clock: clock)
        paths = Dictionary(uniqueKeysWithValues: AdminMethod.allCases.map { ($0.path, $0) })
    }

    /// Ends what runs in the background. Its operations say how far they came.
    package func stop() async {
        await restores.stop()
        await transfers.stop()
    }

    // MARK: Calls

    package func method(at path: String) -> RPCMethod? {
        guard let method = paths[path] else { return nil }
        return .unary { calls in
            for call in calls { self.answer(call, method) }
        }
    }

    private func answer(_ call: any RPCUnaryCall, _ method: AdminMethod) {
        let task = Task {
            do throws(FirestoreError) {
                let answer = try await answer(method, call.info) { () throws(FirestoreError) in
                    try RequestSize.check(call.request)
                    return try method.request.checked(try method.request.json(call.request))
                }
                call.respond(.success(try method.response.bytes(answer)))
            } catch {
                call.fail(error)
            }
        }
        call.onCancel { task.cancel() }
    }

    /// Whether a call is not counted: the console's own.
    package func isUncounted(_ info: RPCCallInfo) -> Bool { (try? identification.identifyNow(info))?.isConsolesOwn ?? false }

    /// Answers a call over whichever transport. The caller comes first: others than administrators learn nothing.
    ///
    /// - Parameter request: Reads the request, in the spelling that methods read.
    package func answer(
        _ method: AdminMethod, _ info: RPCCallInfo, request: () throws(FirestoreError) -> JSON
    ) async throws(FirestoreError) -> JSON {
        try admission.enter()
        defer { admission.leave() }
        let known = try await identification.identify(info)
        guard known.isAdministrator else {
            throw FirestoreError(
                .permissionDenied, "databases are managed by administrators\(databases.advice(.administratorKeys))")
        }
        return try await answer(method, try request(), known.context)
    }

    /// Answers an administrator.
    package func answer(
        _ method: AdminMethod, _ request: JSON, _ context: RequestContext
    ) async throws(FirestoreError) -> JSON {
        switch method {
        case .createDatabase: try await createDatabase(request)
        case .getDatabase: try await getDatabase(request)
        case .listDatabases: try await listDatabases(request)
        case .updateDatabase: try await updateDatabase(request)
        case .deleteDatabase: try await deleteDatabase(request)
        case .undeleteDatabase: try await undeleteDatabase(request)
        case .createIndex: try await createIndex(request)
        case .listIndexes: try await listIndexes(request)
        case .getIndex: try await getIndex(request)
        case .deleteIndex: try await deleteIndex(request)
        case .getField: try await getField(request)
        case .updateField: try await updateField(request)
        case .listFields: try await listFields(request)
        case .exportDocuments: try await exportDocuments(request, context)
        case .importDocuments: try await importDocuments(request, context)
        case .bulkDeleteDocuments: try await bulkDeleteDocuments(request, context)
        case .getOperation: try await getOperation(request)
        case .listOperations: try await listOperations(request)
        case .cancelOperation: try await cancelOperation(request)
        case .deleteOperation: try await deleteOperation(request)
        case .waitOperation: try await waitOperation(request, context)
        case .listLocations: try await listLocations(request)
        case .getLocation: try await getLocation(request)
        case .restoreDatabase: try await restoreDatabase(request)
        case .cloneDatabase: try await cloneDatabase(request)
        case .getBackup: try await getBackup(request)
        case .listBackups: try await listBackups(request)
        case .deleteBackup: try await deleteBackup(request)
        case .createBackupSchedule: try await createBackupSchedule(request)
        case .getBackupSchedule: try await getBackupSchedule(request)
        case .listBackupSchedules: try await listBackupSchedules(request)
        case .updateBackupSchedule: try await updateBackupSchedule(request)
        case .deleteBackupSchedule: try await deleteBackupSchedule(request)
        case .createUserCreds, .getUserCreds, .listUserCreds, .enableUserCreds, .disableUserCreds, .resetUserPassword, .deleteUserCreds:
            throw FirestoreError(.unimplemented, "credentials of users are those of MongoDB compatibility, which is not offered here")
        }
    }

    // MARK: Databases

    /// A database that exists, and its facts.
    func opened(_ database: DatabaseID) async throws(FirestoreError) -> (service: RuledService, facts: any FactService) {
        try Self.withFacts(try await databases.openExisting(database))
    }

    /// A database that is used, which creates it where databases are created by their use.
    func used(_ database: DatabaseID) async throws(FirestoreError) -> (service: RuledService, facts: any FactService) {
        try Self.withFacts(try await databases.open(database))
    }

    private static func withFacts(
        _ service: RuledService
    ) throws(FirestoreError) -> (service: RuledService, facts: any FactService) {
        guard let facts = service.facts else { throw FirestoreError(.unimplemented, "the database stores no settings") }
        return (service, facts)
    }
}

extension JSON {
    /// The answer of methods that answer nothing.
    static let empty = JSON.object([])
}
