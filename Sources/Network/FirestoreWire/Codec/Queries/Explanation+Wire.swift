// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension ExplainOptions {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var analyze = false
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.read(&analyze) }
        }
        self = analyze ? .analyze : .plan
    }
}

extension EmbeddedMessage {
    var explainOptions: ExplainOptions? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            return try ExplainOptions(wire: bytes)
        }
    }
}

extension ReverseWriter {
    mutating func explainOptions(_ number: Int, _ options: ExplainOptions?) {
        if let options { message(number) { $0.flag(1, options == .analyze) } }
    }

    /// `ExplainMetrics` (QR-71): indexes as the service names them, and its counters under the service's names.
    mutating func explanation(_ number: Int, _ explanation: QueryExplanation?) {
        guard let explanation else { return }
        message(number) { writer in
            if let statistics = explanation.statistics { writer.statistics(2, statistics, explanation) }
            writer.message(1) { writer in
                // Never empty: official clients treat an empty summary as missing.
                let used = explanation.indexes.isEmpty ? [explanation.nameIndex] : explanation.indexes
                for index in used.reversed() { writer.structure(1, index.explanation.map { ($0.0, .text($0.1)) }) }
            }
        }
    }

    private mutating func statistics(
        _ number: Int, _ statistics: QueryExplanation.Statistics, _ explanation: QueryExplanation
    ) {
        message(number) { writer in
            let billing = statistics.billing
            let charged: [(String, DebugDetail)] = [
                ("documents_billable", .text(String(billing.documents))),
                ("index_entries_billable", .text(String(billing.indexEntries))),
                ("min_query_cost", .text(billing.documents + billing.indexEntries == 0 ? "1" : "0")),
                ("small_ops", .text("0")),
            ]
            var details: [(String, DebugDetail)] = [
                ("billing_details", .members(charged)),
                ("documents_scanned", .text(String(statistics.documentsRead))),
                ("index_entries_scanned", .text(String(statistics.entriesRead))),
                (ExplanationKeys.plan, .text(explanation.plan)),
                (ExplanationKeys.scansAll, .text(String(explanation.scansAll))),
            ]
            if let ideal = explanation.idealIndex {
                details += ideal.explanation.map { (ExplanationKeys.ideal + $0.0, .text($0.1)) }
            }
            writer.structure(5, details)
            writer.integer(4, billing.readOperations)
            writer.message(3) { writer in
                let (seconds, attoseconds) = statistics.duration.components
                writer.integer(2, attoseconds / 1_000_000_000)
                writer.integer(1, seconds)
            }
            writer.integer(1, statistics.results)
        }
    }

    /// `google.protobuf.Struct` with strings and nested structs.
    private mutating func structure(_ number: Int, _ members: [(String, DebugDetail)]) {
        message(number) { writer in
            for (name, value) in members.reversed() {
                writer.message(1) { writer in
                    writer.message(2) { writer in
                        switch value {
                        case .text(let text): writer.element(3, text)
                        case .members(let members): writer.structure(5, members)
                        }
                    }
                    writer.text(1, name)
                }
            }
        }
    }
}

private indirect enum DebugDetail {
    case text(String)
    case members([(String, DebugDetail)])
}

/// Members of `debug_stats` that are specific to Hearth.
enum ExplanationKeys {
    static let plan = "plan"
    static let scansAll = "scans_all"
    static let ideal = "ideal_index_"
    static let collectionID = "collection_id"
}

extension IndexDefinition {
    /// `{"query_scope": "Collection", "properties": "(a ASC, __name__ ASC)"}`, and the collection.
    fileprivate var explanation: [(String, String)] {
        let columns = fields.map { field in
            switch field.mode {
            case .ascending: field.path.canonical + " ASC"
            case .descending: field.path.canonical + " DESC"
            case .arrayContains: field.path.canonical + " CONTAINS"
            }
        }
        let name = "__name__ " + (nameDirection == .ascending ? "ASC" : "DESC")
        return [
            ("query_scope", scope == .collection ? "Collection" : "Collection group"),
            ("properties", "(" + (columns + [name]).joined(separator: ", ") + ")"),
        ] + (collectionID.utf8.isEmpty ? [] : [(ExplanationKeys.collectionID, collectionID)])
    }

    /// nil if it is not given.
    init?(explanation: [(name: String, value: String)], prefix: String = "") {
        func member(_ name: String) -> String? {
            explanation.last { $0.name.utf8.elementsEqual((prefix + name).utf8) }?.value
        }
        guard let properties = member("properties"), properties.utf8.first == UInt8(ascii: "("),
            properties.utf8.last == UInt8(ascii: ")")
        else { return nil }
        var fields: [Field] = []
        var nameDirection = SortOrder.Direction.ascending
        for column in Self.columns(properties) {
            guard let blank = column.lastIndex(of: " "), let path = try? PathCheck.fieldPath(wire: String(column[..<blank]))
            else { return nil }
            let order = column[column.index(after: blank)...]
            if path.isDocumentID {
                nameDirection = order == "DESC" ? .descending : .ascending
            } else {
                fields.append(Field(path, order == "CONTAINS" ? .arrayContains : order == "DESC" ? .descending : .ascending))
            }
        }
        self.init(
            collectionID: member(ExplanationKeys.collectionID) ?? "",
            scope: member("query_scope") == "Collection group" ? .collectionGroup : .collection, fields: fields,
            nameDirection: nameDirection)
    }

    /// Splits `(a ASC, b DESC)` at commas, except inside back-ticks.
    private static func columns(_ text: String) -> [Substring] {
        var columns: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        let inner = text.dropFirst().dropLast()
        var start = inner.startIndex
        for index in inner.indices {
            if inner[index] == "`", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && inner[index] == "\\"
            guard inner[index] == ",", !isQuoted else { continue }
            columns.append(inner[start..<index])
            start = inner.index(after: index)
        }
        columns.append(inner[start...])
        return columns.map { $0.drop { $0 == " " } }
    }
}

extension QueryExplanation {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var summary = EmbeddedMessage()
        var execution = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: summary.merge(field)
            case 2: execution.merge(field)
            default: break
            }
        }
        let used = try Self.indexes(summary.bytes ?? .empty)
        let indexes = used.filter { !$0.fields.isEmpty }
        let plan = indexes.isEmpty ? "no index: every document is looked at" : indexes.map(\.description).joined(separator: "\n")
        self.init(
            plan: plan, indexes: indexes, scansAll: indexes.isEmpty,
            nameIndex: used.first { $0.fields.isEmpty } ?? IndexDefinition(collectionID: "", fields: []))
        if let bytes = execution.bytes { try readStatistics(bytes) }
    }

    private static func indexes(_ bytes: ByteSlice) throws(FirestoreError) -> [IndexDefinition] {
        var indexes: [IndexDefinition] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1, let bytes = field.bytes else { continue }
            if let index = IndexDefinition(explanation: try members(bytes)) { indexes.append(index) }
        }
        return indexes
    }

    private mutating func readStatistics(_ bytes: ByteSlice) throws(FirestoreError) {
        var results: Int64 = 0
        var duration = EmbeddedMessage()
        var reads: Int64 = 0
        var details = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&results)
            case 3: duration.merge(field)
            case 4: field.read(&reads)
            case 5: details.merge(field)
            default: break
            }
        }
        let members = try Self.members(details.bytes ?? .empty)
        func member(_ name: String) -> String? { members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value }
        var statistics = Statistics()
        statistics.results = Int(results)
        statistics.billing = Billing(documents: Int(reads))
        statistics.documentsRead = member("documents_scanned").flatMap { Int($0) } ?? Int(reads)
        statistics.entriesRead = member("index_entries_scanned").flatMap { Int($0) } ?? 0
        if let time = (duration.bytes ?? .empty).withUnsafeBytes(TimestampValue.init(wire:)) {
            statistics.duration = .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
        }
        self.statistics = statistics
        plan = member(ExplanationKeys.plan) ?? plan
        scansAll = member(ExplanationKeys.scansAll).map { $0 == "true" } ?? scansAll
        idealIndex = IndexDefinition(explanation: members, prefix: ExplanationKeys.ideal)
    }

    /// The members of a `google.protobuf.Struct` that are strings.
    private static func members(_ bytes: ByteSlice) throws(FirestoreError) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1, let entry = field.bytes else { continue }
            var name = ""
            var value = EmbeddedMessage()
            var inner = MessageReader(entry)
            while let field = try inner.next() {
                if field.number == 1 { try field.read(&name) }
                if field.number == 2 { value.merge(field) }
            }
            var content = MessageReader(value.bytes ?? .empty)
            while let field = try content.next() {
                guard field.number == 3, let text = field.bytes else { continue }
                members.append((name, try String(wire: text)))
            }
        }
        return members
    }
}
