// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ExecutePipelineRequest: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var database = ByteSlice.empty
        var pipeline = EmbeddedMessage()
        var consistency = ConsistencyParts()
        var commitsTransaction = false
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&database)
            case 2: pipeline.merge(field)
            case 5: consistency.take(field, as: .transaction)
            case 6: consistency.take(field, as: .newTransaction)
            case 7: consistency.take(field, as: .readTime)
            case 9: field.read(&commitsTransaction)
            default: break
            }
        }
        guard let pipeline = pipeline.bytes else { throw .invalidArgument("the request has no structured_pipeline") }
        var request = try PipelineRequest(wire: pipeline)
        let (explain, form) = try request.takeExplainOptions()
        self.init(
            database: try ResourceName.database(database), pipeline: request, consistency: try consistency.selector,
            commitsTransaction: commitsTransaction, explain: explain, explanationForm: form)
        if commitsTransaction {
            switch self.consistency {
            case .transaction, .newTransaction: break
            case .latest, .readTime:
                throw .invalidArgument("auto_commit_transaction needs a transaction: send transaction or new_transaction with it")
            }
        }
    }

    package func encoded() -> [UInt8] {
        Self.bytes { writer in
            writer.flag(9, commitsTransaction)
            writer.consistency(consistency, transaction: 5, newTransaction: 6, readTime: 7)
            writer.message(2) { writer in
                var options = pipeline.options
                if let explain { options[PipelineRequest.explainOptions] = explain.pipelineOption(explanationForm) }
                writer.options(2, options)
                writer.pipeline(1, pipeline.stages)
            }
            writer.databaseName(1, database)
        }
    }
}

extension PipelineRequest {
    fileprivate static let explainOptions = "explain_options"

    /// Removes the options of explanations. Results without an explanation are the default, and a text for people.
    fileprivate mutating func takeExplainOptions() throws(FirestoreError) -> (ExplainOptions?, ExecutePipelineRequest.ExplanationForm) {
        guard let argument = options.removeValue(forKey: Self.explainOptions) else { return (nil, .text) }
        guard case .constant(let bytes) = argument, case .map(let members) = try bytes.value else {
            throw .invalidArgument("the option is a map with the member mode", at: Self.explainOptions)
        }
        let form = try Self.word("output_format", of: members) ?? "text"
        guard let form = ExecutePipelineRequest.ExplanationForm(rawValue: form) else {
            throw .invalidArgument("the output_format is text or json", at: Self.explainOptions)
        }
        switch try Self.word("mode", of: members) {
        case "execute", nil: return (nil, form)
        case "explain": return (.plan, form)
        case "analyze": return (.analyze, form)
        default: throw .invalidArgument("the mode is execute, explain or analyze", at: Self.explainOptions)
        }
    }

    private static func word(_ name: String, of members: FieldMap) throws(FirestoreError) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let word) = value else { throw .invalidArgument("the \(name) is a string", at: explainOptions) }
        return word
    }
}

extension ExplainOptions {
    fileprivate func pipelineOption(_ form: ExecutePipelineRequest.ExplanationForm) -> PipelineArgument {
        .value(.map(FieldMap([("mode", .string(self == .analyze ? "analyze" : "explain")), ("output_format", .string(form.rawValue))])))
    }
}

extension ExecutePipelineResponse: WireMessage {
    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var transaction = ByteSlice.empty
        var executionTime = EmbeddedMessage()
        var explanation = EmbeddedMessage()
        self.init()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&transaction)
            case 2: if let bytes = field.bytes { rows.append(try DocumentParts(bytes).row()) }
            case 3: executionTime.merge(field)
            case 4: explanation.merge(field)
            default: break
            }
        }
        if !transaction.isEmpty { self.transaction = transaction }
        self.executionTime = try executionTime.version
        if let bytes = explanation.bytes { self.explanation = try PipelineExplanation(wire: bytes) }
    }

    package func encoded() -> [UInt8] {
        Self.bytes(reserving: rows.reduce(128) { $0 + $1.messageSize }) { writer in
            if let explanation { writer.explanation(4, explanation) }
            writer.timestamp(3, executionTime)
            for row in rows.reversed() { writer.row(2, row) }
            if let transaction { writer.data(1, transaction) }
        }
    }
}

extension PipelineRow {
    /// The approximate size of its message.
    package var messageSize: Int { fields.bytes.count + (name?.utf8.count ?? 0) + 40 }
}

extension PipelineExplanation {
    /// `ExplainStats`: a `google.protobuf.StringValue` in a `google.protobuf.Any`. Empty for statistics in another form.
    fileprivate init(wire bytes: ByteSlice) throws(FirestoreError) {
        var content = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { content.merge(field) }
        }
        self.init(text: try AnyString.text(of: content.bytes ?? .empty) ?? "")
    }
}

extension ReverseWriter {
    fileprivate mutating func row(_ number: Int, _ row: PipelineRow) {
        message(number) { writer in
            writer.timestamp(4, row.updateTime)
            writer.timestamp(3, row.createTime)
            writer.raw(row.fields.bytes)
            writer.text(1, row.name ?? "")
        }
    }

    fileprivate mutating func explanation(_ number: Int, _ explanation: PipelineExplanation) {
        message(number) { writer in
            writer.message(1) { writer in
                writer.message(2) { $0.text(1, explanation.text) }
                writer.text(1, AnyString.type)
            }
        }
    }
}

/// A `google.protobuf.StringValue` in a `google.protobuf.Any`.
enum AnyString {
    static let type = "type.googleapis.com/google.protobuf.StringValue"

    /// nil for a message of another type.
    static func text(of any: ByteSlice) throws(FirestoreError) -> String? {
        var type = ""
        var value = ByteSlice.empty
        var reader = MessageReader(any)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&type) }
            if field.number == 2 { field.read(&value) }
        }
        guard type.utf8.elementsEqual(Self.type.utf8) else { return nil }
        var text = ""
        var content = MessageReader(value)
        while let field = try content.next() {
            if field.number == 1 { try field.read(&text) }
        }
        return text
    }
}
