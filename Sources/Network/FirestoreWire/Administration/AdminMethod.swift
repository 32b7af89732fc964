// SPDX-License-Identifier: Apache-2.0

/// The methods of `google.firestore.admin.v1.FirestoreAdmin` and of `google.longrunning.Operations`, with their names there.
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

    /// The name in gRPC: `/google.firestore.admin.v1.FirestoreAdmin/CreateDatabase`.
    package var path: String {
        isOfOperations ? "/google.longrunning.Operations/\(rawValue)" : "/google.firestore.admin.v1.FirestoreAdmin/\(rawValue)"
    }

    private var isOfOperations: Bool {
        switch self {
        case .getOperation, .listOperations, .cancelOperation, .deleteOperation, .waitOperation: true
        default: false
        }
    }

    package var request: AdminMessage {
        // Undeleting names a database and nothing else.
        if case .undeleteDatabase = self { return .getDatabaseRequest }
        return AdminMessage(rawValue: (isOfOperations ? "google.longrunning." : "google.firestore.admin.v1.") + rawValue + "Request")
            ?? .empty
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
        case .deleteIndex, .deleteBackup, .deleteBackupSchedule, .deleteUserCreds, .cancelOperation, .deleteOperation: .empty
        }
    }
}
