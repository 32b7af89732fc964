// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `hearth schema`: the common structure of the documents of a collection, and its changes.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Show the fields and types of a collection, and what has changed.",
        discussion: """
            Reads documents as `hearth types` does, and prints a row per field: its types, how often it occurs, and what its \
            values have in common. Values themselves are not printed. As JSON the schema can be kept, compared later, and \
            widened by `hearth types --schema`.

            `hearth schema COLLECTION` is short for `hearth schema show COLLECTION`.

            EXIT CODES
              0  done; with --against and `diff`: nothing has changed that could matter
              1  there are no documents; with --against and `diff`: there is a new field, a new type, or a
                 field that was in every document is missing
              2  the documents cannot be read, or the command was not understood

            EXAMPLES
              hearth schema --data app.sqlite cities
              hearth schema cities --from backup.jsonl --json > cities.json
              hearth schema cities --server 127.0.0.1:8080 --against cities.json
              hearth schema diff old.json cities.json
            """,
        subcommands: [SchemaShowCommand.self, SchemaDiffCommand.self],
        defaultSubcommand: SchemaShowCommand.self)
}
