// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreGateway

/// The folders that exports and imports of the admin API work with.
struct AdminGuest: ServerGuest, ServerPart {
    private static let bucket = Setting<[String]>(
        "bucket", [], "The folder that gs://NAME is for exports and imports of the admin API. May be repeated.", value: "name=dir")

    static let settings: [any AnySetting] = [bucket]

    static let commands: [any ParsableCommand.Type] = [
        DatabasesCommand.self, IndexesCommand.self, FieldsCommand.self, OperationsCommand.self, BackupsCommand.self, DeployCommand.self,
    ]

    private let folders: BucketFolders

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        let texts = plan.values[Self.bucket]
        folders = BucketFolders(try StartRefusal.of { try MappedBucket.all(texts) }, data: plan.data)
    }

    func join(_ start: inout ServerStart) { start.configuration.folders = folders }
}
