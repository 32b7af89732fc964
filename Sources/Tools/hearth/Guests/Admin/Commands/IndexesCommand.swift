// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `hearth indexes …`: the composite indexes of a database.
struct IndexesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "List, create and delete composite indexes.",
        discussion: """
            Shows the indexes that are configured; those that the server creates by need are in the console. Indexes of single \
            fields are set with `hearth fields`, all of a file with `hearth deploy`.

            EXIT CODES
              0  done
              2  it was refused, or the place cannot be reached

            EXAMPLES
              hearth indexes list --server 127.0.0.1:8080
              hearth indexes create books author year:desc
              hearth indexes create books tags:array year:desc --group
              hearth indexes delete books 3
            """,
        subcommands: [List.self, Create.self, Delete.self])
}

extension IndexesCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the composite indexes.")

        @Argument(help: "The collection id; omit it for all.") var collection = "-"

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let (collection, output) = (collection, output)
            try await AdminConnection.run(place) { admin in
                let indexes = try await admin.list(.listIndexes, "indexes", [("parent", .string(admin.groupName(collection)))])
                try AdminOutput(output).print(indexes, titles: ["collection", "id", "scope", "fields", "state"]) { index in
                    [
                        AdminText.group(index.text("name")), AdminText.id(index.text("name")),
                        index.text("queryScope") == "COLLECTION_GROUP" ? "group" : "collection", IndexFile.columns(of: index),
                        index.text("state").lowercased(),
                    ]
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a composite index, and wait until it is built.",
            discussion: "FIELD is a field path, PATH:desc for descending order, PATH:array for the elements of an array.")

        @Argument(help: "The collection id.") var collection: String
        @Argument(help: "The fields, in order.") var fields: [String]

        @Flag(help: "For queries over all collections with the id.")
        var group = false

        @Flag(help: "Return when the build has begun.")
        var noWait = false

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func run() async throws {
            let entries = fields.map(IndexesCommand.field)
            let (collection, group, noWait, output) = (collection, group, noWait, output)
            try await AdminConnection.run(place) { admin in
                let index = JSON.object([
                    ("queryScope", .string(group ? "COLLECTION_GROUP" : "COLLECTION")), ("fields", .array(entries)),
                ])
                let request: [(name: String, value: JSON?)] = [("parent", .string(admin.groupName(collection))), ("index", index)]
                let made =
                    noWait ? try await admin.call(.createIndex, request) : try await admin.result(of: .createIndex, request)
                try AdminOutput(output).print(made)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a composite index.")

        @Argument(help: "The collection id.") var collection: String
        @Argument(help: "The id of the index, as in the list.") var id: String

        @OptionGroup(title: "Place") var place: PlaceOptions

        func run() async throws {
            let (collection, id) = (collection, id)
            try await AdminConnection.run(place) { admin in
                _ = try await admin.call(.deleteIndex, [("name", .string("\(admin.groupName(collection))/indexes/\(id)"))])
                StandardError.say("deleted the index \(id) of \(collection)")
            }
        }
    }

    /// `year:desc`
    static func field(_ text: String) -> JSON {
        for (suffix, name, value) in [
            (":desc", "order", "DESCENDING"), (":asc", "order", "ASCENDING"), (":array", "arrayConfig", "CONTAINS"),
        ] where text.hasSuffix(suffix) {
            return .object([("fieldPath", .string(String(text.dropLast(suffix.count)))), (name, .string(value))])
        }
        return .object([("fieldPath", .string(text)), ("order", .string("ASCENDING"))])
    }
}
