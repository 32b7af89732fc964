// Made by dev/generate-protos. Do not edit.

/// The messages of `google.firestore.admin.v1`, of operations and of locations, by their full names.
package enum AdminMessage: String, CaseIterable, Sendable {
    case backup = "google.firestore.admin.v1.Backup"
    case backupStats = "google.firestore.admin.v1.Backup.Stats"
    case backupSchedule = "google.firestore.admin.v1.BackupSchedule"
    case dailyRecurrence = "google.firestore.admin.v1.DailyRecurrence"
    case weeklyRecurrence = "google.firestore.admin.v1.WeeklyRecurrence"
    case bulkDeleteDocumentsMetadata = "google.firestore.admin.v1.BulkDeleteDocumentsMetadata"
    case progress = "google.firestore.admin.v1.Progress"
    case bulkDeleteDocumentsRequest = "google.firestore.admin.v1.BulkDeleteDocumentsRequest"
    case bulkDeleteDocumentsResponse = "google.firestore.admin.v1.BulkDeleteDocumentsResponse"
    case cloneDatabaseMetadata = "google.firestore.admin.v1.CloneDatabaseMetadata"
    case pitrSnapshot = "google.firestore.admin.v1.PitrSnapshot"
    case cloneDatabaseRequest = "google.firestore.admin.v1.CloneDatabaseRequest"
    case databaseEncryptionConfig = "google.firestore.admin.v1.Database.EncryptionConfig"
    case databaseEncryptionConfigGoogleDefaultEncryptionOptions =
        "google.firestore.admin.v1.Database.EncryptionConfig.GoogleDefaultEncryptionOptions"
    case databaseEncryptionConfigSourceEncryptionOptions = "google.firestore.admin.v1.Database.EncryptionConfig.SourceEncryptionOptions"
    case databaseEncryptionConfigCustomerManagedEncryptionOptions =
        "google.firestore.admin.v1.Database.EncryptionConfig.CustomerManagedEncryptionOptions"
    case createBackupScheduleRequest = "google.firestore.admin.v1.CreateBackupScheduleRequest"
    case createDatabaseMetadata = "google.firestore.admin.v1.CreateDatabaseMetadata"
    case createDatabaseRequest = "google.firestore.admin.v1.CreateDatabaseRequest"
    case database = "google.firestore.admin.v1.Database"
    case databaseCmekConfig = "google.firestore.admin.v1.Database.CmekConfig"
    case databaseSourceInfo = "google.firestore.admin.v1.Database.SourceInfo"
    case databaseSourceInfoBackupSource = "google.firestore.admin.v1.Database.SourceInfo.BackupSource"
    case createIndexRequest = "google.firestore.admin.v1.CreateIndexRequest"
    case index = "google.firestore.admin.v1.Index"
    case indexIndexField = "google.firestore.admin.v1.Index.IndexField"
    case indexIndexFieldVectorConfig = "google.firestore.admin.v1.Index.IndexField.VectorConfig"
    case indexIndexFieldVectorConfigFlatIndex = "google.firestore.admin.v1.Index.IndexField.VectorConfig.FlatIndex"
    case indexIndexFieldSearchConfig = "google.firestore.admin.v1.Index.IndexField.SearchConfig"
    case indexIndexFieldSearchConfigSearchTextSpec = "google.firestore.admin.v1.Index.IndexField.SearchConfig.SearchTextSpec"
    case indexIndexFieldSearchConfigSearchTextIndexSpec = "google.firestore.admin.v1.Index.IndexField.SearchConfig.SearchTextIndexSpec"
    case indexIndexFieldSearchConfigSearchGeoSpec = "google.firestore.admin.v1.Index.IndexField.SearchConfig.SearchGeoSpec"
    case indexSearchIndexOptions = "google.firestore.admin.v1.Index.SearchIndexOptions"
    case createUserCredsRequest = "google.firestore.admin.v1.CreateUserCredsRequest"
    case userCreds = "google.firestore.admin.v1.UserCreds"
    case userCredsResourceIdentity = "google.firestore.admin.v1.UserCreds.ResourceIdentity"
    case deleteBackupRequest = "google.firestore.admin.v1.DeleteBackupRequest"
    case deleteBackupScheduleRequest = "google.firestore.admin.v1.DeleteBackupScheduleRequest"
    case deleteDatabaseMetadata = "google.firestore.admin.v1.DeleteDatabaseMetadata"
    case deleteDatabaseRequest = "google.firestore.admin.v1.DeleteDatabaseRequest"
    case deleteIndexRequest = "google.firestore.admin.v1.DeleteIndexRequest"
    case deleteUserCredsRequest = "google.firestore.admin.v1.DeleteUserCredsRequest"
    case disableUserCredsRequest = "google.firestore.admin.v1.DisableUserCredsRequest"
    case enableUserCredsRequest = "google.firestore.admin.v1.EnableUserCredsRequest"
    case exportDocumentsMetadata = "google.firestore.admin.v1.ExportDocumentsMetadata"
    case exportDocumentsRequest = "google.firestore.admin.v1.ExportDocumentsRequest"
    case exportDocumentsResponse = "google.firestore.admin.v1.ExportDocumentsResponse"
    case field = "google.firestore.admin.v1.Field"
    case fieldIndexConfig = "google.firestore.admin.v1.Field.IndexConfig"
    case fieldTtlConfig = "google.firestore.admin.v1.Field.TtlConfig"
    case fieldOperationMetadata = "google.firestore.admin.v1.FieldOperationMetadata"
    case fieldOperationMetadataIndexConfigDelta = "google.firestore.admin.v1.FieldOperationMetadata.IndexConfigDelta"
    case fieldOperationMetadataTtlConfigDelta = "google.firestore.admin.v1.FieldOperationMetadata.TtlConfigDelta"
    case getBackupRequest = "google.firestore.admin.v1.GetBackupRequest"
    case getBackupScheduleRequest = "google.firestore.admin.v1.GetBackupScheduleRequest"
    case getDatabaseRequest = "google.firestore.admin.v1.GetDatabaseRequest"
    case getFieldRequest = "google.firestore.admin.v1.GetFieldRequest"
    case getIndexRequest = "google.firestore.admin.v1.GetIndexRequest"
    case getUserCredsRequest = "google.firestore.admin.v1.GetUserCredsRequest"
    case importDocumentsMetadata = "google.firestore.admin.v1.ImportDocumentsMetadata"
    case importDocumentsRequest = "google.firestore.admin.v1.ImportDocumentsRequest"
    case indexOperationMetadata = "google.firestore.admin.v1.IndexOperationMetadata"
    case listBackupSchedulesRequest = "google.firestore.admin.v1.ListBackupSchedulesRequest"
    case listBackupSchedulesResponse = "google.firestore.admin.v1.ListBackupSchedulesResponse"
    case listBackupsRequest = "google.firestore.admin.v1.ListBackupsRequest"
    case listBackupsResponse = "google.firestore.admin.v1.ListBackupsResponse"
    case listDatabasesRequest = "google.firestore.admin.v1.ListDatabasesRequest"
    case listDatabasesResponse = "google.firestore.admin.v1.ListDatabasesResponse"
    case listFieldsRequest = "google.firestore.admin.v1.ListFieldsRequest"
    case listFieldsResponse = "google.firestore.admin.v1.ListFieldsResponse"
    case listIndexesRequest = "google.firestore.admin.v1.ListIndexesRequest"
    case listIndexesResponse = "google.firestore.admin.v1.ListIndexesResponse"
    case listUserCredsRequest = "google.firestore.admin.v1.ListUserCredsRequest"
    case listUserCredsResponse = "google.firestore.admin.v1.ListUserCredsResponse"
    case locationMetadata = "google.firestore.admin.v1.LocationMetadata"
    case resetUserPasswordRequest = "google.firestore.admin.v1.ResetUserPasswordRequest"
    case restoreDatabaseMetadata = "google.firestore.admin.v1.RestoreDatabaseMetadata"
    case restoreDatabaseRequest = "google.firestore.admin.v1.RestoreDatabaseRequest"
    case updateBackupScheduleRequest = "google.firestore.admin.v1.UpdateBackupScheduleRequest"
    case updateDatabaseMetadata = "google.firestore.admin.v1.UpdateDatabaseMetadata"
    case updateDatabaseRequest = "google.firestore.admin.v1.UpdateDatabaseRequest"
    case updateFieldRequest = "google.firestore.admin.v1.UpdateFieldRequest"
    case getOperationRequest = "google.longrunning.GetOperationRequest"
    case listOperationsRequest = "google.longrunning.ListOperationsRequest"
    case listOperationsResponse = "google.longrunning.ListOperationsResponse"
    case operation = "google.longrunning.Operation"
    case status = "google.rpc.Status"
    case cancelOperationRequest = "google.longrunning.CancelOperationRequest"
    case deleteOperationRequest = "google.longrunning.DeleteOperationRequest"
    case waitOperationRequest = "google.longrunning.WaitOperationRequest"
    case listLocationsRequest = "google.cloud.location.ListLocationsRequest"
    case listLocationsResponse = "google.cloud.location.ListLocationsResponse"
    case location = "google.cloud.location.Location"
    case getLocationRequest = "google.cloud.location.GetLocationRequest"
    case empty = "google.protobuf.Empty"

    var fields: [AdminField] {
        switch self {
        case .backup: Self.backupFields
        case .backupStats: Self.backupStatsFields
        case .backupSchedule: Self.backupScheduleFields
        case .dailyRecurrence: Self.dailyRecurrenceFields
        case .weeklyRecurrence: Self.weeklyRecurrenceFields
        case .bulkDeleteDocumentsMetadata: Self.bulkDeleteDocumentsMetadataFields
        case .progress: Self.progressFields
        case .bulkDeleteDocumentsRequest: Self.bulkDeleteDocumentsRequestFields
        case .bulkDeleteDocumentsResponse: Self.bulkDeleteDocumentsResponseFields
        case .cloneDatabaseMetadata: Self.cloneDatabaseMetadataFields
        case .pitrSnapshot: Self.pitrSnapshotFields
        case .cloneDatabaseRequest: Self.cloneDatabaseRequestFields
        case .databaseEncryptionConfig: Self.databaseEncryptionConfigFields
        case .databaseEncryptionConfigGoogleDefaultEncryptionOptions: Self.databaseEncryptionConfigGoogleDefaultEncryptionOptionsFields
        case .databaseEncryptionConfigSourceEncryptionOptions: Self.databaseEncryptionConfigSourceEncryptionOptionsFields
        case .databaseEncryptionConfigCustomerManagedEncryptionOptions: Self.databaseEncryptionConfigCustomerManagedEncryptionOptionsFields
        case .createBackupScheduleRequest: Self.createBackupScheduleRequestFields
        case .createDatabaseMetadata: Self.createDatabaseMetadataFields
        case .createDatabaseRequest: Self.createDatabaseRequestFields
        case .database: Self.databaseFields
        case .databaseCmekConfig: Self.databaseCmekConfigFields
        case .databaseSourceInfo: Self.databaseSourceInfoFields
        case .databaseSourceInfoBackupSource: Self.databaseSourceInfoBackupSourceFields
        case .createIndexRequest: Self.createIndexRequestFields
        case .index: Self.indexFields
        case .indexIndexField: Self.indexIndexFieldFields
        case .indexIndexFieldVectorConfig: Self.indexIndexFieldVectorConfigFields
        case .indexIndexFieldVectorConfigFlatIndex: Self.indexIndexFieldVectorConfigFlatIndexFields
        case .indexIndexFieldSearchConfig: Self.indexIndexFieldSearchConfigFields
        case .indexIndexFieldSearchConfigSearchTextSpec: Self.indexIndexFieldSearchConfigSearchTextSpecFields
        case .indexIndexFieldSearchConfigSearchTextIndexSpec: Self.indexIndexFieldSearchConfigSearchTextIndexSpecFields
        case .indexIndexFieldSearchConfigSearchGeoSpec: Self.indexIndexFieldSearchConfigSearchGeoSpecFields
        case .indexSearchIndexOptions: Self.indexSearchIndexOptionsFields
        case .createUserCredsRequest: Self.createUserCredsRequestFields
        case .userCreds: Self.userCredsFields
        case .userCredsResourceIdentity: Self.userCredsResourceIdentityFields
        case .deleteBackupRequest: Self.deleteBackupRequestFields
        case .deleteBackupScheduleRequest: Self.deleteBackupScheduleRequestFields
        case .deleteDatabaseMetadata: Self.deleteDatabaseMetadataFields
        case .deleteDatabaseRequest: Self.deleteDatabaseRequestFields
        case .deleteIndexRequest: Self.deleteIndexRequestFields
        case .deleteUserCredsRequest: Self.deleteUserCredsRequestFields
        case .disableUserCredsRequest: Self.disableUserCredsRequestFields
        case .enableUserCredsRequest: Self.enableUserCredsRequestFields
        case .exportDocumentsMetadata: Self.exportDocumentsMetadataFields
        case .exportDocumentsRequest: Self.exportDocumentsRequestFields
        case .exportDocumentsResponse: Self.exportDocumentsResponseFields
        case .field: Self.fieldFields
        case .fieldIndexConfig: Self.fieldIndexConfigFields
        case .fieldTtlConfig: Self.fieldTtlConfigFields
        case .fieldOperationMetadata: Self.fieldOperationMetadataFields
        case .fieldOperationMetadataIndexConfigDelta: Self.fieldOperationMetadataIndexConfigDeltaFields
        case .fieldOperationMetadataTtlConfigDelta: Self.fieldOperationMetadataTtlConfigDeltaFields
        case .getBackupRequest: Self.getBackupRequestFields
        case .getBackupScheduleRequest: Self.getBackupScheduleRequestFields
        case .getDatabaseRequest: Self.getDatabaseRequestFields
        case .getFieldRequest: Self.getFieldRequestFields
        case .getIndexRequest: Self.getIndexRequestFields
        case .getUserCredsRequest: Self.getUserCredsRequestFields
        case .importDocumentsMetadata: Self.importDocumentsMetadataFields
        case .importDocumentsRequest: Self.importDocumentsRequestFields
        case .indexOperationMetadata: Self.indexOperationMetadataFields
        case .listBackupSchedulesRequest: Self.listBackupSchedulesRequestFields
        case .listBackupSchedulesResponse: Self.listBackupSchedulesResponseFields
        case .listBackupsRequest: Self.listBackupsRequestFields
        case .listBackupsResponse: Self.listBackupsResponseFields
        case .listDatabasesRequest: Self.listDatabasesRequestFields
        case .listDatabasesResponse: Self.listDatabasesResponseFields
        case .listFieldsRequest: Self.listFieldsRequestFields
        case .listFieldsResponse: Self.listFieldsResponseFields
        case .listIndexesRequest: Self.listIndexesRequestFields
        case .listIndexesResponse: Self.listIndexesResponseFields
        case .listUserCredsRequest: Self.listUserCredsRequestFields
        case .listUserCredsResponse: Self.listUserCredsResponseFields
        case .locationMetadata: Self.locationMetadataFields
        case .resetUserPasswordRequest: Self.resetUserPasswordRequestFields
        case .restoreDatabaseMetadata: Self.restoreDatabaseMetadataFields
        case .restoreDatabaseRequest: Self.restoreDatabaseRequestFields
        case .updateBackupScheduleRequest: Self.updateBackupScheduleRequestFields
        case .updateDatabaseMetadata: Self.updateDatabaseMetadataFields
        case .updateDatabaseRequest: Self.updateDatabaseRequestFields
        case .updateFieldRequest: Self.updateFieldRequestFields
        case .getOperationRequest: Self.getOperationRequestFields
        case .listOperationsRequest: Self.listOperationsRequestFields
        case .listOperationsResponse: Self.listOperationsResponseFields
        case .operation: Self.operationFields
        case .status: Self.statusFields
        case .cancelOperationRequest: Self.cancelOperationRequestFields
        case .deleteOperationRequest: Self.deleteOperationRequestFields
        case .waitOperationRequest: Self.waitOperationRequestFields
        case .listLocationsRequest: Self.listLocationsRequestFields
        case .listLocationsResponse: Self.listLocationsResponseFields
        case .location: Self.locationFields
        case .getLocationRequest: Self.getLocationRequestFields
        case .empty: Self.emptyFields
        }
    }

    private static let backupFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "database", .string),
        .init(7, "databaseUid", .string),
        .init(3, "snapshotTime", .timestamp),
        .init(4, "expireTime", .timestamp),
        .init(6, "stats", .message(.backupStats)),
        .init(8, "state", .enumeration([("STATE_UNSPECIFIED", 0), ("CREATING", 1), ("READY", 2), ("NOT_AVAILABLE", 3)])),
    ]

    private static let backupStatsFields: [AdminField] = [
        .init(1, "sizeBytes", .int64),
        .init(2, "documentCount", .int64),
        .init(3, "indexCount", .int64),
    ]

    private static let backupScheduleFields: [AdminField] = [
        .init(1, "name", .string),
        .init(3, "createTime", .timestamp),
        .init(10, "updateTime", .timestamp),
        .init(6, "retention", .duration),
        .init(7, "dailyRecurrence", .message(.dailyRecurrence), .oneof(0)),
        .init(8, "weeklyRecurrence", .message(.weeklyRecurrence), .oneof(0)),
    ]

    private static let dailyRecurrenceFields: [AdminField] = []

    private static let weeklyRecurrenceFields: [AdminField] = [
        .init(2, "day", .enumeration([
                ("DAY_OF_WEEK_UNSPECIFIED", 0), ("MONDAY", 1), ("TUESDAY", 2), ("WEDNESDAY", 3), ("THURSDAY", 4), ("FRIDAY", 5),
                ("SATURDAY", 6), ("SUNDAY", 7),
            ])),
    ]

    private static let bulkDeleteDocumentsMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "operationState", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(4, "progressDocuments", .message(.progress)),
        .init(5, "progressBytes", .message(.progress)),
        .init(6, "collectionIds", .string, .repeated),
        .init(7, "namespaceIds", .string, .repeated),
        .init(8, "snapshotTime", .timestamp),
    ]

    private static let progressFields: [AdminField] = [
        .init(1, "estimatedWork", .int64),
        .init(2, "completedWork", .int64),
    ]

    private static let bulkDeleteDocumentsRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "collectionIds", .string, .repeated),
        .init(3, "namespaceIds", .string, .repeated),
    ]

    private static let bulkDeleteDocumentsResponseFields: [AdminField] = []

    private static let cloneDatabaseMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "operationState", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(4, "database", .string),
        .init(7, "pitrSnapshot", .message(.pitrSnapshot)),
        .init(6, "progressPercentage", .message(.progress)),
    ]

    private static let pitrSnapshotFields: [AdminField] = [
        .init(1, "database", .string),
        .init(2, "databaseUid", .bytes),
        .init(3, "snapshotTime", .timestamp),
    ]

    private static let cloneDatabaseRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "databaseId", .string),
        .init(6, "pitrSnapshot", .message(.pitrSnapshot)),
        .init(4, "encryptionConfig", .message(.databaseEncryptionConfig)),
        .init(5, "tags", .string, .map),
    ]

    private static let databaseEncryptionConfigFields: [AdminField] = [
        .init(1, "googleDefaultEncryption", .message(.databaseEncryptionConfigGoogleDefaultEncryptionOptions), .oneof(0)),
        .init(2, "useSourceEncryption", .message(.databaseEncryptionConfigSourceEncryptionOptions), .oneof(0)),
        .init(3, "customerManagedEncryption", .message(.databaseEncryptionConfigCustomerManagedEncryptionOptions), .oneof(0)),
    ]

    private static let databaseEncryptionConfigGoogleDefaultEncryptionOptionsFields: [AdminField] = []

    private static let databaseEncryptionConfigSourceEncryptionOptionsFields: [AdminField] = []

    private static let databaseEncryptionConfigCustomerManagedEncryptionOptionsFields: [AdminField] = [
        .init(1, "kmsKeyName", .string),
    ]

    private static let createBackupScheduleRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "backupSchedule", .message(.backupSchedule)),
    ]

    private static let createDatabaseMetadataFields: [AdminField] = []

    private static let createDatabaseRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "database", .message(.database)),
        .init(3, "databaseId", .string),
    ]

    private static let databaseFields: [AdminField] = [
        .init(1, "name", .string),
        .init(3, "uid", .string),
        .init(5, "createTime", .timestamp),
        .init(6, "updateTime", .timestamp),
        .init(7, "deleteTime", .timestamp),
        .init(9, "locationId", .string),
        .init(10, "type", .enumeration([("DATABASE_TYPE_UNSPECIFIED", 0), ("FIRESTORE_NATIVE", 1), ("DATASTORE_MODE", 2)])),
        .init(15, "concurrencyMode", .enumeration([
                ("CONCURRENCY_MODE_UNSPECIFIED", 0), ("OPTIMISTIC", 1), ("PESSIMISTIC", 2), ("OPTIMISTIC_WITH_ENTITY_GROUPS", 3),
            ])),
        .init(17, "versionRetentionPeriod", .duration),
        .init(18, "earliestVersionTime", .timestamp),
        .init(21, "pointInTimeRecoveryEnablement", .enumeration([
                ("POINT_IN_TIME_RECOVERY_ENABLEMENT_UNSPECIFIED", 0), ("POINT_IN_TIME_RECOVERY_ENABLED", 1),
                ("POINT_IN_TIME_RECOVERY_DISABLED", 2),
            ])),
        .init(19, "appEngineIntegrationMode", .enumeration([
                ("APP_ENGINE_INTEGRATION_MODE_UNSPECIFIED", 0), ("ENABLED", 1), ("DISABLED", 2),
            ])),
        .init(20, "keyPrefix", .string),
        .init(22, "deleteProtectionState", .enumeration([
                ("DELETE_PROTECTION_STATE_UNSPECIFIED", 0), ("DELETE_PROTECTION_DISABLED", 1), ("DELETE_PROTECTION_ENABLED", 2),
            ])),
        .init(23, "cmekConfig", .message(.databaseCmekConfig)),
        .init(25, "previousId", .string),
        .init(26, "sourceInfo", .message(.databaseSourceInfo)),
        .init(29, "tags", .string, .map),
        .init(30, "freeTier", .boolean, .oneof(0)),
        .init(99, "etag", .string),
        .init(28, "databaseEdition", .enumeration([("DATABASE_EDITION_UNSPECIFIED", 0), ("STANDARD", 1), ("ENTERPRISE", 2)])),
        .init(31, "realtimeUpdatesMode", .enumeration([
                ("REALTIME_UPDATES_MODE_UNSPECIFIED", 0), ("REALTIME_UPDATES_MODE_ENABLED", 1),
                ("REALTIME_UPDATES_MODE_DISABLED", 2),
            ])),
        .init(33, "firestoreDataAccessMode", .enumeration([
                ("DATA_ACCESS_MODE_UNSPECIFIED", 0), ("DATA_ACCESS_MODE_ENABLED", 1), ("DATA_ACCESS_MODE_DISABLED", 2),
            ])),
        .init(34, "mongodbCompatibleDataAccessMode", .enumeration([
                ("DATA_ACCESS_MODE_UNSPECIFIED", 0), ("DATA_ACCESS_MODE_ENABLED", 1), ("DATA_ACCESS_MODE_DISABLED", 2),
            ])),
    ]

    private static let databaseCmekConfigFields: [AdminField] = [
        .init(1, "kmsKeyName", .string),
        .init(2, "activeKeyVersion", .string, .repeated),
    ]

    private static let databaseSourceInfoFields: [AdminField] = [
        .init(1, "backup", .message(.databaseSourceInfoBackupSource), .oneof(0)),
        .init(3, "operation", .string),
    ]

    private static let databaseSourceInfoBackupSourceFields: [AdminField] = [
        .init(1, "backup", .string),
    ]

    private static let createIndexRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "index", .message(.index)),
    ]

    private static let indexFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "queryScope", .enumeration([
                ("QUERY_SCOPE_UNSPECIFIED", 0), ("COLLECTION", 1), ("COLLECTION_GROUP", 2), ("COLLECTION_RECURSIVE", 3),
            ])),
        .init(5, "apiScope", .enumeration([("ANY_API", 0), ("DATASTORE_MODE_API", 1), ("MONGODB_COMPATIBLE_API", 2)])),
        .init(3, "fields", .message(.indexIndexField), .repeated),
        .init(4, "state", .enumeration([("STATE_UNSPECIFIED", 0), ("CREATING", 1), ("READY", 2), ("NEEDS_REPAIR", 3)])),
        .init(6, "density", .enumeration([("DENSITY_UNSPECIFIED", 0), ("SPARSE_ALL", 1), ("SPARSE_ANY", 2), ("DENSE", 3)])),
        .init(7, "multikey", .boolean),
        .init(8, "shardCount", .int32),
        .init(10, "unique", .boolean),
        .init(9, "searchIndexOptions", .message(.indexSearchIndexOptions)),
    ]

    private static let indexIndexFieldFields: [AdminField] = [
        .init(1, "fieldPath", .string),
        .init(2, "order", .enumeration([("ORDER_UNSPECIFIED", 0), ("ASCENDING", 1), ("DESCENDING", 2)]), .oneof(0)),
        .init(3, "arrayConfig", .enumeration([("ARRAY_CONFIG_UNSPECIFIED", 0), ("CONTAINS", 1)]), .oneof(0)),
        .init(4, "vectorConfig", .message(.indexIndexFieldVectorConfig), .oneof(0)),
        .init(5, "searchConfig", .message(.indexIndexFieldSearchConfig), .oneof(0)),
    ]

    private static let indexIndexFieldVectorConfigFields: [AdminField] = [
        .init(1, "dimension", .int32),
        .init(2, "flat", .message(.indexIndexFieldVectorConfigFlatIndex), .oneof(0)),
    ]

    private static let indexIndexFieldVectorConfigFlatIndexFields: [AdminField] = []

    private static let indexIndexFieldSearchConfigFields: [AdminField] = [
        .init(1, "textSpec", .message(.indexIndexFieldSearchConfigSearchTextSpec)),
        .init(2, "geoSpec", .message(.indexIndexFieldSearchConfigSearchGeoSpec)),
    ]

    private static let indexIndexFieldSearchConfigSearchTextSpecFields: [AdminField] = [
        .init(1, "indexSpecs", .message(.indexIndexFieldSearchConfigSearchTextIndexSpec), .repeated),
    ]

    private static let indexIndexFieldSearchConfigSearchTextIndexSpecFields: [AdminField] = [
        .init(1, "indexType", .enumeration([("TEXT_INDEX_TYPE_UNSPECIFIED", 0), ("TOKENIZED", 1)])),
        .init(2, "matchType", .enumeration([("TEXT_MATCH_TYPE_UNSPECIFIED", 0), ("MATCH_GLOBALLY", 1)])),
    ]

    private static let indexIndexFieldSearchConfigSearchGeoSpecFields: [AdminField] = [
        .init(1, "geoJsonIndexingDisabled", .boolean),
    ]

    private static let indexSearchIndexOptionsFields: [AdminField] = [
        .init(1, "textLanguage", .string),
        .init(2, "textLanguageOverrideFieldPath", .string),
    ]

    private static let createUserCredsRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "userCreds", .message(.userCreds)),
        .init(3, "userCredsId", .string),
    ]

    private static let userCredsFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "createTime", .timestamp),
        .init(3, "updateTime", .timestamp),
        .init(4, "state", .enumeration([("STATE_UNSPECIFIED", 0), ("ENABLED", 1), ("DISABLED", 2)])),
        .init(5, "securePassword", .string),
        .init(6, "resourceIdentity", .message(.userCredsResourceIdentity), .oneof(0)),
    ]

    private static let userCredsResourceIdentityFields: [AdminField] = [
        .init(1, "principal", .string),
    ]

    private static let deleteBackupRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let deleteBackupScheduleRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let deleteDatabaseMetadataFields: [AdminField] = []

    private static let deleteDatabaseRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(3, "etag", .string),
    ]

    private static let deleteIndexRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let deleteUserCredsRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let disableUserCredsRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let enableUserCredsRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let exportDocumentsMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "operationState", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(4, "progressDocuments", .message(.progress)),
        .init(5, "progressBytes", .message(.progress)),
        .init(6, "collectionIds", .string, .repeated),
        .init(7, "outputUriPrefix", .string),
        .init(8, "namespaceIds", .string, .repeated),
        .init(9, "snapshotTime", .timestamp),
    ]

    private static let exportDocumentsRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "collectionIds", .string, .repeated),
        .init(3, "outputUriPrefix", .string),
        .init(4, "namespaceIds", .string, .repeated),
        .init(5, "snapshotTime", .timestamp),
    ]

    private static let exportDocumentsResponseFields: [AdminField] = [
        .init(1, "outputUriPrefix", .string),
    ]

    private static let fieldFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "indexConfig", .message(.fieldIndexConfig)),
        .init(3, "ttlConfig", .message(.fieldTtlConfig)),
    ]

    private static let fieldIndexConfigFields: [AdminField] = [
        .init(1, "indexes", .message(.index), .repeated),
        .init(2, "usesAncestorConfig", .boolean),
        .init(3, "ancestorField", .string),
        .init(4, "reverting", .boolean),
    ]

    private static let fieldTtlConfigFields: [AdminField] = [
        .init(1, "state", .enumeration([("STATE_UNSPECIFIED", 0), ("CREATING", 1), ("ACTIVE", 2), ("NEEDS_REPAIR", 3)])),
        .init(3, "expirationOffset", .duration),
    ]

    private static let fieldOperationMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "field", .string),
        .init(4, "indexConfigDeltas", .message(.fieldOperationMetadataIndexConfigDelta), .repeated),
        .init(5, "state", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(6, "progressDocuments", .message(.progress)),
        .init(7, "progressBytes", .message(.progress)),
        .init(8, "ttlConfigDelta", .message(.fieldOperationMetadataTtlConfigDelta)),
    ]

    private static let fieldOperationMetadataIndexConfigDeltaFields: [AdminField] = [
        .init(1, "changeType", .enumeration([("CHANGE_TYPE_UNSPECIFIED", 0), ("ADD", 1), ("REMOVE", 2)])),
        .init(2, "index", .message(.index)),
    ]

    private static let fieldOperationMetadataTtlConfigDeltaFields: [AdminField] = [
        .init(1, "changeType", .enumeration([("CHANGE_TYPE_UNSPECIFIED", 0), ("ADD", 1), ("REMOVE", 2)])),
        .init(3, "expirationOffset", .duration),
    ]

    private static let getBackupRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let getBackupScheduleRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let getDatabaseRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let getFieldRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let getIndexRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let getUserCredsRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let importDocumentsMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "operationState", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(4, "progressDocuments", .message(.progress)),
        .init(5, "progressBytes", .message(.progress)),
        .init(6, "collectionIds", .string, .repeated),
        .init(7, "inputUriPrefix", .string),
        .init(8, "namespaceIds", .string, .repeated),
    ]

    private static let importDocumentsRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "collectionIds", .string, .repeated),
        .init(3, "inputUriPrefix", .string),
        .init(4, "namespaceIds", .string, .repeated),
    ]

    private static let indexOperationMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "index", .string),
        .init(4, "state", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(5, "progressDocuments", .message(.progress)),
        .init(6, "progressBytes", .message(.progress)),
    ]

    private static let listBackupSchedulesRequestFields: [AdminField] = [
        .init(1, "parent", .string),
    ]

    private static let listBackupSchedulesResponseFields: [AdminField] = [
        .init(1, "backupSchedules", .message(.backupSchedule), .repeated),
    ]

    private static let listBackupsRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "filter", .string),
    ]

    private static let listBackupsResponseFields: [AdminField] = [
        .init(1, "backups", .message(.backup), .repeated),
        .init(3, "unreachable", .string, .repeated),
    ]

    private static let listDatabasesRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(4, "showDeleted", .boolean),
    ]

    private static let listDatabasesResponseFields: [AdminField] = [
        .init(1, "databases", .message(.database), .repeated),
        .init(3, "unreachable", .string, .repeated),
    ]

    private static let listFieldsRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "filter", .string),
        .init(3, "pageSize", .int32),
        .init(4, "pageToken", .string),
    ]

    private static let listFieldsResponseFields: [AdminField] = [
        .init(1, "fields", .message(.field), .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let listIndexesRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "filter", .string),
        .init(3, "pageSize", .int32),
        .init(4, "pageToken", .string),
    ]

    private static let listIndexesResponseFields: [AdminField] = [
        .init(1, "indexes", .message(.index), .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let listUserCredsRequestFields: [AdminField] = [
        .init(1, "parent", .string),
    ]

    private static let listUserCredsResponseFields: [AdminField] = [
        .init(1, "userCreds", .message(.userCreds), .repeated),
    ]

    private static let locationMetadataFields: [AdminField] = []

    private static let resetUserPasswordRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let restoreDatabaseMetadataFields: [AdminField] = [
        .init(1, "startTime", .timestamp),
        .init(2, "endTime", .timestamp),
        .init(3, "operationState", .enumeration([
                ("OPERATION_STATE_UNSPECIFIED", 0), ("INITIALIZING", 1), ("PROCESSING", 2), ("CANCELLING", 3), ("FINALIZING", 4),
                ("SUCCESSFUL", 5), ("FAILED", 6), ("CANCELLED", 7),
            ])),
        .init(4, "database", .string),
        .init(5, "backup", .string),
        .init(8, "progressPercentage", .message(.progress)),
    ]

    private static let restoreDatabaseRequestFields: [AdminField] = [
        .init(1, "parent", .string),
        .init(2, "databaseId", .string),
        .init(3, "backup", .string),
        .init(9, "encryptionConfig", .message(.databaseEncryptionConfig)),
        .init(10, "tags", .string, .map),
    ]

    private static let updateBackupScheduleRequestFields: [AdminField] = [
        .init(1, "backupSchedule", .message(.backupSchedule)),
        .init(2, "updateMask", .fieldMask),
    ]

    private static let updateDatabaseMetadataFields: [AdminField] = []

    private static let updateDatabaseRequestFields: [AdminField] = [
        .init(1, "database", .message(.database)),
        .init(2, "updateMask", .fieldMask),
    ]

    private static let updateFieldRequestFields: [AdminField] = [
        .init(1, "field", .message(.field)),
        .init(2, "updateMask", .fieldMask),
    ]

    private static let getOperationRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let listOperationsRequestFields: [AdminField] = [
        .init(4, "name", .string),
        .init(1, "filter", .string),
        .init(2, "pageSize", .int32),
        .init(3, "pageToken", .string),
        .init(5, "returnPartialSuccess", .boolean),
    ]

    private static let listOperationsResponseFields: [AdminField] = [
        .init(1, "operations", .message(.operation), .repeated),
        .init(2, "nextPageToken", .string),
        .init(3, "unreachable", .string, .repeated),
    ]

    private static let operationFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "metadata", .any),
        .init(3, "done", .boolean),
        .init(4, "error", .message(.status), .oneof(0)),
        .init(5, "response", .any, .oneof(0)),
    ]

    private static let statusFields: [AdminField] = [
        .init(1, "code", .int32),
        .init(2, "message", .string),
    ]

    private static let cancelOperationRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let deleteOperationRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let waitOperationRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "timeout", .duration),
    ]

    private static let listLocationsRequestFields: [AdminField] = [
        .init(1, "name", .string),
        .init(2, "filter", .string),
        .init(3, "pageSize", .int32),
        .init(4, "pageToken", .string),
    ]

    private static let listLocationsResponseFields: [AdminField] = [
        .init(1, "locations", .message(.location), .repeated),
        .init(2, "nextPageToken", .string),
    ]

    private static let locationFields: [AdminField] = [
        .init(1, "name", .string),
        .init(4, "locationId", .string),
        .init(5, "displayName", .string),
        .init(2, "labels", .string, .map),
        .init(3, "metadata", .any),
    ]

    private static let getLocationRequestFields: [AdminField] = [
        .init(1, "name", .string),
    ]

    private static let emptyFields: [AdminField] = []
}
