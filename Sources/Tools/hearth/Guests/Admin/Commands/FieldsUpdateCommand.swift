// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreServer
import FirestoreWire

extension FieldsCommand {
    /// `hearth fields update COLLECTION FIELD`: changes what the options name, and nothing else.
    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Change the settings of a field.",
            discussion: """
                Without an index of its own, a field gets no automatic index, and queries that need one scan; with \
                `hearth serve --indexes required` they fail. Documents expire at the time in the field, plus the offset.
                """)

        @Argument(help: "The collection id.") var collection: String
        @Argument(help: "The path of the field; * for all fields of the collection.") var field: String

        @Flag(help: "No index of its own.")
        var exempt = false

        @Option(help: ArgumentHelp("An index: asc, desc or array, with group: before it for a collection group.", valueName: "kind"))
        var index: [String] = []

        @Flag(help: "The indexes that fields have by default.")
        var `default` = false

        @Flag(inversion: .prefixedNo, help: "Whether documents expire by the field.")
        var ttl: Bool?

        @Option(help: ArgumentHelp("With --ttl: how long after the time in the field.", valueName: "seconds"))
        var ttlOffset: Int?

        @OptionGroup(title: "Place") var place: PlaceOptions
        @OptionGroup(title: "Output") var output: OutputOptions

        func validate() throws {
            guard [exempt, !index.isEmpty, self.default].count(where: { $0 }) <= 1 else {
                throw ValidationError("--exempt, --index and --default exclude each other")
            }
            guard exempt || !index.isEmpty || self.default || ttl != nil else {
                throw ValidationError("nothing is to be changed; use --exempt, --index, --default, --ttl or --no-ttl")
            }
            if ttlOffset != nil, ttl != true { throw ValidationError("--ttl-offset requires --ttl") }
        }

        func run() async throws {
            var mask: [String] = []
            var members: [(name: String, value: JSON?)] = []
            if exempt || !index.isEmpty || self.default {
                mask.append("indexConfig")
                if !self.default { members.append(("indexConfig", .object([("indexes", .array(try index.map(Self.entry)))]))) }
            }
            if let ttl {
                mask.append("ttlConfig")
                let offset = ttlOffset.map { JSON.string("\($0)s") }
                if ttl { members.append(("ttlConfig", .members([("expirationOffset", offset)]))) }
            }
            let (collection, field, output, change, paths) = (collection, field, output, members, mask.joined(separator: ","))
            try await AdminConnection.run(place) { admin in
                let name = "\(admin.groupName(collection))/fields/\(field)"
                let message = JSON.members([("name", .string(name))] + change)
                try AdminOutput(output).print(
                    try await admin.result(of: .updateField, [("field", message), ("updateMask", .string(paths))]))
            }
        }

        /// `group:array`
        private static func entry(_ text: String) throws -> JSON {
            let isGroup = text.hasPrefix("group:")
            let mode: (name: String, value: JSON)
            switch isGroup ? String(text.dropFirst(6)) : text {
            case "asc": mode = ("order", .string("ASCENDING"))
            case "desc": mode = ("order", .string("DESCENDING"))
            case "array": mode = ("arrayConfig", .string("CONTAINS"))
            default: throw ValidationError("--index must be asc, desc or array, or group: and one of them, not \(text)")
            }
            return .object([
                ("queryScope", .string(isGroup ? "COLLECTION_GROUP" : "COLLECTION")), ("fields", .array([.object([mode])])),
            ])
        }
    }
}
