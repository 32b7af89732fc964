// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth operations …`: what takes time.
struct OperationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operations",
        abstract: "List operations of the admin API, wait for them, cancel them.",
        discussion: """
            Builds of indexes, exports, imports, bulk deletes, restores and clones are operations of their database. Those that are \
            over are kept for 7 days.

            EXIT CODES
              0  done; `wait`: the operation has succeeded
              1  `wait`: the operation has failed, or was cancelled
              2  it was refused, or the place cannot be reached

            EXAMPLES
              hearth operations list --server 127.0.0.1:8080
              hearth operations wait 8sdY2hQw
              hearth operations cancel 8sdY2hQw
            """,
        subcommands: [List.self, Get.self, Wait.self, Cancel.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the operations of a database, the newest first.")

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let output = output
            try await AdminConnection.run(place) { admin in
                let operations = try await admin.list(.listOperations, "operations", [("name", .string(admin.databaseName))])
                try AdminOutput(output).print(operations, titles: ["id", "kind", "state", "documents", "started"]) { operation in
                    let metadata = operation["metadata"] ?? .null
                    let state = metadata.text("state") + metadata.text("operationState")
                    return [
                        AdminText.id(operation.text("name")), OperationsCommand.kind(metadata),
                        state.isEmpty ? (operation.flag("done") ? "done" : "running") : state.lowercased(),
                        metadata["progressDocuments"]?.text("completedWork") ?? "", metadata.text("startTime"),
                    ]
                }
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Print an operation.")

        @OptionGroup var one: OneOperation
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let output = output
            try await one.call(.getOperation) { try AdminOutput(output).print($0) }
        }
    }

    struct Wait: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "wait", abstract: "Wait until an operation is over, and print it.")

        @OptionGroup var one: OneOperation
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (id, output) = (one.id, output)
            try await AdminConnection.run(one.place) { admin in
                var operation = JSON.object([])
                while !operation.flag("done") {
                    operation = try await admin.call(
                        .waitOperation, [("name", .string("\(admin.databaseName)/operations/\(id)")), ("timeout", .string("30s"))])
                }
                try AdminOutput(output).print(operation)
                if operation["error"] != nil { throw Outcome.findings }
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancel an operation.",
            discussion: "What was done until then stays done. An operation that is over does not change.")

        @OptionGroup var one: OneOperation

        func run() async throws { try await one.call(.cancelOperation) { _ in } }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Forget an operation that is over.")

        @OptionGroup var one: OneOperation

        func run() async throws { try await one.call(.deleteOperation) { _ in } }
    }

    /// An operation, and where it is.
    struct OneOperation: ParsableArguments {
        @Argument(help: "The id of the operation.") var id: String
        @OptionGroup(title: "Place") var place: PlaceOptions

        func call(_ method: AdminMethod, _ body: @escaping @Sendable (JSON) throws -> Void) async throws {
            let id = id
            try await AdminConnection.run(place) { admin in
                try body(try await admin.call(method, [("name", .string("\(admin.databaseName)/operations/\(id)"))]))
            }
        }
    }

    /// `export`, `index`: of the type of the metadata.
    private static func kind(_ metadata: JSON) -> String {
        let type = metadata.text("@type").split(separator: ".").last.map { String($0) } ?? ""
        switch type {
        case "IndexOperationMetadata": return "index"
        case "FieldOperationMetadata": return "field"
        case "ExportDocumentsMetadata": return "export"
        case "ImportDocumentsMetadata": return "import"
        case "BulkDeleteDocumentsMetadata": return "bulk delete"
        case "RestoreDatabaseMetadata": return "restore"
        case "CloneDatabaseMetadata": return "clone"
        default: return type.replacing("Metadata", with: "")
        }
    }
}
