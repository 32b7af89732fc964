// SPDX-License-Identifier: Apache-2.0

/// The methods of `google.firestore.admin.v1.FirestoreAdmin`, of `google.longrunning.Operations` and of
/// `google.cloud.location.Locations`, with their names there.
package enum AdminMethod: String, CaseIterable, Sendable {
    case createDatabase = "CreateDatabase"
    case getDatabase = "GetDatabase"
    case listDatabases = "ListDatabases"
    case updateDatabase = "UpdateDatabase"
    case deleteDatabase = "DeleteDatabase"
    /// Hearth's own: brings a deleted database back.
    case undeleteDatabase = "UndeleteDatabase"
    case restoreDatabase = "RestoreDatabase"
    case cloneDatabase = "CloneDatabase"
    case createIndex = "CreateIndex"
    case listIndexes = "ListIndexes"
    case getIndex = "GetIndex"
    case deleteIndex = "DeleteIndex"
    case getField = "GetField"
    case updateField = "UpdateField"
    case listFields = "ListFields"
    case exportDocuments = "ExportDocuments"
    case importDocuments = "ImportDocuments"
    case bulkDeleteDocuments = "BulkDeleteDocuments"
    case getBackup = "GetBackup"
    case listBackups = "ListBackups"
    case deleteBackup = "DeleteBackup"
    case createBackupSchedule = "CreateBackupSchedule"
    case getBackupSchedule = "GetBackupSchedule"
    case listBackupSchedules = "ListBackupSchedules"
    case updateBackupSchedule = "UpdateBackupSchedule"
    case deleteBackupSchedule = "DeleteBackupSchedule"
    case createUserCreds = "CreateUserCreds"
    case getUserCreds = "GetUserCreds"
    case listUserCreds = "ListUserCreds"
    case enableUserCreds = "EnableUserCreds"
    case disableUserCreds = "DisableUserCreds"
    case resetUserPassword = "ResetUserPassword"
    case deleteUserCreds = "DeleteUserCreds"
    case getOperation = "GetOperation"
    case listOperations = "ListOperations"
    case cancelOperation = "CancelOperation"
    case deleteOperation = "DeleteOperation"
    case waitOperation = "WaitOperation"
    case listLocations = "ListLocations"
    case getLocation = "GetLocation"

    /// The name in gRPC: `/google.firestore.admin.v1.FirestoreAdmin/CreateDatabase`.
    package var path: String {
        switch service {
        case .firestore: "/google.firestore.admin.v1.FirestoreAdmin/\(rawValue)"
        case .operations: "/google.longrunning.Operations/\(rawValue)"
        case .locations: "/google.cloud.location.Locations/\(rawValue)"
        }
    }

    /// By the package of its messages.
    private enum Service: String {
        case firestore = "google.firestore.admin.v1."
        case operations = "google.longrunning."
        case locations = "google.cloud.location."
    }

    private var service: Service {
        switch self {
        case .getOperation, .listOperations, .cancelOperation, .deleteOperation, .waitOperation: .operations
        case .listLocations, .getLocation: .locations
        default: .firestore
        }
    }

    package var request: AdminMessage {
        // Undeleting names a database and nothing else.
        if case .undeleteDatabase = self { return .getDatabaseRequest }
        return AdminMessage(rawValue: service.rawValue + rawValue + "Request") ?? .empty
    }

    package var response: AdminMessage {
        switch self {
        case .getDatabase: .database
        case .listDatabases: .listDatabasesResponse
        case .createDatabase, .updateDatabase, .deleteDatabase, .undeleteDatabase, .restoreDatabase, .cloneDatabase, .createIndex,
            .updateField, .exportDocuments, .importDocuments, .bulkDeleteDocuments, .getOperation, .waitOperation:
            .operation
        case .listIndexes: .listIndexesResponse
        case .getIndex: .index
        case .getField: .field
        case .listFields: .listFieldsResponse
        case .getBackup: .backup
        case .listBackups: .listBackupsResponse
        case .createBackupSchedule, .getBackupSchedule, .updateBackupSchedule: .backupSchedule
        case .listBackupSchedules: .listBackupSchedulesResponse
        case .createUserCreds, .getUserCreds, .enableUserCreds, .disableUserCreds, .resetUserPassword: .userCreds
        case .listUserCreds: .listUserCredsResponse
        case .listOperations: .listOperationsResponse
        case .listLocations: .listLocationsResponse
        case .getLocation: .location
        case .deleteIndex, .deleteBackup, .deleteBackupSchedule, .deleteUserCreds, .cancelOperation, .deleteOperation: .empty
        }
    }
}
