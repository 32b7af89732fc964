// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth fields …`: the settings of single fields.
struct FieldsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fields",
        abstract: "Show and change the settings of single fields: indexes and expiry.",
        discussion: """
            EXIT CODES
              0  done
              2  it was refused, or the place cannot be reached

            EXAMPLES
              hearth fields list --server 127.0.0.1:8080
              hearth fields update books text --exempt
              hearth fields update books tags --index array --index group:array
              hearth fields update sessions expires --ttl --ttl-offset 3600
              hearth fields update sessions expires --no-ttl
              hearth fields update books text --default
            """,
        subcommands: [List.self, Get.self, Update.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the fields with settings.")

        @Argument(help: "The collection id; omit it for all.") var collection = "-"

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (collection, output) = (collection, output)
            try await AdminConnection.run(place) { admin in
                let fields = try await admin.list(.listFields, "fields", [("parent", .string(admin.groupName(collection)))])
                try AdminOutput(output).print(fields, titles: ["collection", "field", "indexes", "expiry"]) { field in
                    [
                        AdminText.group(field.text("name")), AdminText.fieldPath(field.text("name")), AdminText.indexes(field),
                        AdminText.expiry(field),
                    ]
                }
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Print the settings of a field.")

        @Argument(help: "The collection id.") var collection: String
        @Argument(help: "The path of the field; * for all fields of the collection.") var field: String

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (collection, field, output) = (collection, field, output)
            try await AdminConnection.run(place) { admin in
                let name = "\(admin.groupName(collection))/fields/\(field)"
                try AdminOutput(output).print(try await admin.call(.getField, [("name", .string(name))]))
            }
        }
    }
}
