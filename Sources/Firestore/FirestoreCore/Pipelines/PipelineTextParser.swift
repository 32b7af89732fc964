// SPDX-License-Identifier: Apache-2.0

/// Reads the text form of pipelines by recursive descent.
struct PipelineTextParser {
    private let text: [UInt8]
    private var position = 0
    private var depth = 0
    /// Where the stages begin, without those of pipelines in expressions.
    private(set) var starts: [Int] = []

    init(_ text: String) { self.text = Array(text.utf8) }

    /// Words that are literals where an expression is expected.
    static func isLiteral(_ word: String) -> Bool { ["null", "true", "false", "NaN", "Infinity"].contains(word) }

    /// Names of calls that are no functions.
    static func isReserved(_ name: String) -> Bool {
        ["call", "field", "variable", "reference", "timestamp", "geo_point", "vector", "pipeline"].contains(name)
            || PipelineStageKind(rawValue: name)?.isSource == true
    }

    // MARK: Pipelines

    mutating func pipeline() throws(PipelineTextMistake) -> [PipelineStage] {
        let stages = try self.stages(isNested: false)
        guard peek() == nil else { throw mistake("a stage is expected: a name and its arguments in parentheses", stage: nextStage) }
        guard !stages.isEmpty else { throw mistake("the pipeline has no stages; begin with a source such as collection(/books)") }
        return stages
    }

    mutating func wholeExpression() throws(PipelineTextMistake) -> PipelineArgument {
        let argument = try expression()
        guard peek() == nil else { throw mistake("there is more text after the expression") }
        return argument
    }

    /// In a nested pipeline a dot stands between two stages.
    private mutating func stages(isNested: Bool) throws(PipelineTextMistake) -> [PipelineStage] {
        var stages: [PipelineStage] = []
        while let byte = peek(), Self.isWordStart(byte) {
            if !isNested { starts.append(position) }
            stages.append(try stage())
            if take(".") {
                guard let byte = peek(), Self.isWordStart(byte) else {
                    throw mistake("a stage is expected after the dot", stage: isNested ? nil : nextStage)
                }
            } else if isNested {
                break
            }
        }
        return stages
    }

    private mutating func stage() throws(PipelineTextMistake) -> PipelineStage {
        let start = position
        let name = try word("the name of a stage")
        guard name != "raw_stage" else {
            try expect("(", after: name)
            let rawName = try string()
            _ = take(",")
            let (items, options) = try self.items(of: name)
            return PipelineStage(rawName, try items.map(plain), options: try options.arguments(self))
        }
        guard let kind = PipelineStageKind(rawValue: name) else {
            throw mistake("there is no stage “\(name.quoted)”; write raw_stage(\"\(name.quoted)\", …) to send it nevertheless", at: start)
        }
        try expect("(", after: name)
        var (items, options) = try self.items(of: name)
        let arguments: [PipelineArgument]
        switch PipelineStageForm(kind) {
        case .fields: arguments = [try fields(items)]
        case .groups:
            let groups = options.take("groups")
            arguments = [try fields(items), try fields(groups ?? [])]
        case .orders: arguments = try items.map(order)
        case .aliased:
            guard items.count == 1, let item = items.first, let alias = item.alias ?? item.field?.canonical else {
                throw mistake("\(name) takes one expression and its alias: \(name)(tags as tag)", at: start)
            }
            guard let path = try? PathCheck.fieldPath(wire: alias) else {
                throw mistake("the alias is no field path; enclose names that are not simple identifiers in back-ticks", at: item.position)
            }
            arguments = [item.argument, .field(path)]
        case .sample:
            guard items.count == 1, let item = items.first, let mode = item.mode else {
                throw mistake("sample takes a number and how it counts: sample(10 documents) or sample(0.1 percent)", at: start)
            }
            arguments = [item.argument, .value(.string(mode))]
        case .names:
            var names = try items.map(plain).map { Self.unquoted($0) }
            if kind == .collectionGroup, names.count == 1 { names.insert(.value(.reference("")), at: 0) }
            arguments = names
        case .nearest:
            let all = try items.map(plain)
            arguments = all.enumerated().map { $0.offset == 2 ? Self.unquoted($0.element) : $0.element }
        case .replacement:
            let all = try items.map(plain)
            arguments = all.count == 1 ? all + [.value(.string(PipelineStageForm.usualMode))] : all
        case .expressions: arguments = try items.map(plain)
        }
        return PipelineStage(kind, arguments, options: try options.arguments(self))
    }

    /// A name without quotes, as a string.
    private static func unquoted(_ argument: PipelineArgument) -> PipelineArgument {
        if case .field(let path) = argument, path.segments.count == 1 { return .value(.string(path.segments[0])) }
        return argument
    }

    // MARK: Items

    /// An expression in the list of a stage, and what follows it.
    private struct Item {
        var position: Int
        var argument: PipelineArgument
        var alias: String?
        var direction: String?
        var mode: String?

        var field: FieldPathSegments? { if case .field(let path) = argument { path } else { nil } }
    }

    private struct Options {
        var named: [(name: String, position: Int, items: [Item], isList: Bool)] = []

        mutating func take(_ name: String) -> [Item]? {
            guard let index = named.firstIndex(where: { $0.name == name }) else { return nil }
            return named.remove(at: index).items
        }

        func arguments(_ parser: PipelineTextParser) throws(PipelineTextMistake) -> [String: PipelineArgument] {
            var arguments: [String: PipelineArgument] = [:]
            for option in named {
                var items: [PipelineArgument] = []
                for item in option.items { items.append(try parser.plain(item)) }
                do throws(FirestoreError) {
                    arguments[option.name] = option.isList ? try .elements(items) : items[0]
                } catch {
                    throw parser.mistake(error.message, at: option.position)
                }
            }
            return arguments
        }
    }

    /// The items and options up to the closing parenthesis.
    private mutating func items(of name: String) throws(PipelineTextMistake) -> ([Item], Options) {
        var items: [Item] = []
        var options = Options()
        guard !take(")") else { return (items, options) }
        repeat {
            let start = next()
            if let option = optionName() {
                if take("[") {
                    var list: [Item] = []
                    if !take("]") {
                        repeat { list.append(try item()) } while take(",")
                        try expect("]", after: "the list")
                    }
                    options.named.append((option, start, list, true))
                } else {
                    options.named.append((option, start, [try item()], false))
                }
            } else {
                guard options.named.isEmpty else { throw mistake("arguments stand before options") }
                items.append(try item())
            }
        } while take(",")
        try expect(")", after: "the arguments of \(name)")
        return (items, options)
    }

    /// `name:`, if that is next.
    private mutating func optionName() -> String? {
        let start = position
        guard let byte = peek(), Self.isWordStart(byte), let name = try? word("a name"), take(":") else {
            position = start
            return nil
        }
        return name
    }

    private mutating func item() throws(PipelineTextMistake) -> Item {
        var item = Item(position: next(), argument: try expression())
        guard let byte = peek(), Self.isWordStart(byte) else { return item }
        let start = position
        let word = try word("a word")
        switch word {
        case "as":
            if peek() == UInt8(ascii: "\"") {
                item.alias = try string()
            } else {
                item.alias = try pathText()
            }
        case "asc", "ascending": item.direction = "ascending"
        case "desc", "descending": item.direction = "descending"
        case "documents", "percent": item.mode = word
        default:
            throw mistake(
                "“\(word.quoted)” is not expected here; an expression is followed by “as” and an alias, or by a direction", at: start)
        }
        return item
    }

    private func plain(_ item: Item) throws(PipelineTextMistake) -> PipelineArgument {
        guard item.alias == nil, item.direction == nil, item.mode == nil else {
            throw mistake("this stage takes expressions without aliases and directions", at: item.position)
        }
        return item.argument
    }

    private func order(_ item: Item) throws(PipelineTextMistake) -> PipelineArgument {
        guard item.alias == nil, item.mode == nil else { throw mistake("an order is an expression and a direction", at: item.position) }
        let entries: [(String, PipelineArgument)] = [
            ("direction", .value(.string(item.direction ?? "ascending"))), ("expression", item.argument),
        ]
        do throws(FirestoreError) { return try .entries(entries) } catch { throw mistake(error.message, at: item.position) }
    }

    private func fields(_ items: [Item]) throws(PipelineTextMistake) -> PipelineArgument {
        var entries: [(String, PipelineArgument)] = []
        // A path of one name compares by bytes.
        var aliases: Set<FieldPathSegments> = []
        for item in items {
            guard item.direction == nil, item.mode == nil else { throw mistake("this stage takes no directions", at: item.position) }
            guard let alias = item.alias ?? item.field?.canonical else {
                throw mistake("the expression needs an alias: … as name", at: item.position)
            }
            guard aliases.insert(FieldPathSegments(alias)).inserted else {
                throw mistake("the alias “\(alias.quoted)” occurs twice in this stage", at: item.position)
            }
            entries.append((alias, item.argument))
        }
        do throws(FirestoreError) {
            return try .entries(entries)
        } catch {
            throw mistake(error.message, at: items.first?.position)
        }
    }

    // MARK: Expressions

    private mutating func expression() throws(PipelineTextMistake) -> PipelineArgument {
        depth += 1
        defer { depth -= 1 }
        guard depth <= PipelineLimits.expressionDepth + 1 else {
            throw mistake("the expression nests more than \(PipelineLimits.expressionDepth) levels deep")
        }
        guard let byte = peek() else { throw mistake("an expression is expected") }
        switch byte {
        case UInt8(ascii: "$"):
            position += 1
            return .variable(try word("the name of a variable"))
        case UInt8(ascii: "/"): return .value(.reference(reference()))
        case UInt8(ascii: "\""): return .value(.string(try string()))
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "{"): return try map()
        case UInt8(ascii: "`"): return .field(try path())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .value(try number())
        case UInt8(ascii: "b") where position + 1 < text.count && text[position + 1] == UInt8(ascii: "\""): return .value(.bytes(try hex()))
        default: return try named()
        }
    }

    /// A literal word, a call, a pipeline or a field.
    private mutating func named() throws(PipelineTextMistake) -> PipelineArgument {
        let start = next()
        guard let byte = peek(), Self.isWordStart(byte) else { throw mistake("an expression is expected") }
        let name = try word("an expression")
        guard peek() == UInt8(ascii: "(") else {
            switch name {
            case "null": return .value(.null)
            case "true": return .value(.boolean(true))
            case "false": return .value(.boolean(false))
            case "NaN": return .value(.double(.nan))
            case "Infinity": return .value(.double(.infinity))
            default:
                position = start
                return .field(try path())
            }
        }
        if PipelineStageKind(rawValue: name)?.isSource == true {
            position = start
            return .pipeline(try stages(isNested: true))
        }
        position += 1
        switch name {
        case "field":
            let path = try path()
            try expect(")", after: "the field")
            return .field(path)
        case "pipeline":
            let stages = try stages(isNested: true)
            try expect(")", after: "the pipeline")
            return .pipeline(stages)
        case "variable": return .variable(try closed(string()))
        case "reference": return .value(.reference(try closed(string())))
        case "timestamp":
            let text = try closed(string())
            guard let time = TimestampValue(text: text), time.isValid else {
                throw mistake("the timestamp is not in the form 2024-02-29T23:59:59.5Z", at: start)
            }
            return .value(.timestamp(time.truncatedToMicroseconds))
        case "geo_point", "vector":
            let numbers = try numbers(of: name)
            guard name == "geo_point" else { return .value(.vector(numbers)) }
            guard numbers.count == 2 else { throw mistake("a geo point has a latitude and a longitude", at: start) }
            return .value(.geoPoint(GeoPointValue(latitude: numbers[0], longitude: numbers[1])))
        default:
            let called = name == "call" ? try string() : name
            if name == "call" { _ = take(",") }
            let (items, options) = try items(of: name)
            return .function(PipelineFunction(called, try items.map(plain), options: try options.arguments(self)))
        }
    }

    private mutating func closed(_ value: String) throws(PipelineTextMistake) -> String {
        try expect(")", after: "the text")
        return value
    }

    private mutating func numbers(of name: String) throws(PipelineTextMistake) -> [Double] {
        var numbers: [Double] = []
        if take(")") { return numbers }
        repeat {
            let start = next()
            switch try expression() {
            case .constant(let bytes):
                switch try? bytes.value {
                case .integer(let value)?: numbers.append(Double(value))
                case .double(let value)?: numbers.append(value)
                default: throw mistake("\(name) consists of numbers", at: start)
                }
            default: throw mistake("\(name) consists of numbers", at: start)
            }
        } while take(",")
        try expect(")", after: "the numbers")
        return numbers
    }

    private mutating func array() throws(PipelineTextMistake) -> PipelineArgument {
        let start = position
        position += 1
        var elements: [PipelineArgument] = []
        if !take("]") {
            repeat { elements.append(try expression()) } while take(",")
            try expect("]", after: "the elements")
        }
        do throws(FirestoreError) { return try .elements(elements) } catch { throw mistake(error.message, at: start) }
    }

    private mutating func map() throws(PipelineTextMistake) -> PipelineArgument {
        let start = position
        position += 1
        var entries: [(String, PipelineArgument)] = []
        if !take("}") {
            repeat {
                let key = peek() == UInt8(ascii: "\"") ? try string() : try word("a key")
                try expect(":", after: "the key")
                entries.append((key, try expression()))
            } while take(",")
            try expect("}", after: "the entries")
        }
        do throws(FirestoreError) { return try .entries(entries) } catch { throw mistake(error.message, at: start) }
    }

    // MARK: Tokens

    private mutating func number() throws(PipelineTextMistake) -> Value {
        let start = position
        if text[position] == UInt8(ascii: "-") { position += 1 }
        if text[position...].starts(with: "Infinity".utf8) {
            position += 8
            return .double(-.infinity)
        }
        var isWhole = true
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                guard text[position - 1] | 0x20 == UInt8(ascii: "e") else { throw mistake("the number is malformed", at: start) }
            default:
                if Self.isWordByte(text[position]) { throw mistake("the number is malformed", at: start) }
                return try number(from: start, isWhole)
            }
            position += 1
        }
        return try number(from: start, isWhole)
    }

    private func number(from start: Int, _ isWhole: Bool) throws(PipelineTextMistake) -> Value {
        let text = String(decoding: text[start..<position], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard !isWhole, let value = Double(text), value.isFinite else {
            throw mistake(isWhole ? "the integer does not fit into 64 bits" : "the number is malformed", at: start)
        }
        return .double(value)
    }

    private mutating func string() throws(PipelineTextMistake) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw mistake("a text in quotes is expected") }
        let start = position
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") { position += text[position] == UInt8(ascii: "\\") ? 2 : 1 }
        guard position < text.count else { throw mistake("the text has no closing quote", at: start) }
        position += 1
        guard case .string(let value)? = try? JSON(text[start..<position]) else {
            throw mistake("the text is malformed; it is written like a string in JSON", at: start)
        }
        return value
    }

    private mutating func hex() throws(PipelineTextMistake) -> [UInt8] {
        let start = position
        position += 1
        let digits = Array(try string().utf8)
        guard digits.count.isMultiple(of: 2) else { throw mistake("bytes have two digits each", at: start) }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) else {
                throw mistake("bytes are written in hexadecimal digits", at: start)
            }
            bytes.append(byte)
        }
        return bytes
    }

    private mutating func reference() -> String {
        let start = position
        while position < text.count, PipelineTextPrinter.isPlainInReference(text[position]) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func path() throws(PipelineTextMistake) -> FieldPathSegments {
        let start = next()
        let text = try pathText()
        do throws(FirestoreError) {
            return try PathCheck.fieldPath(lenient: text)
        } catch {
            throw mistake(error.message, at: start)
        }
    }

    /// Segments, in back-ticks or not, with dots between them.
    private mutating func pathText() throws(PipelineTextMistake) -> String {
        let start = next()
        repeat {
            if position < text.count, text[position] == UInt8(ascii: "`") {
                position += 1
                while position < text.count, text[position] != UInt8(ascii: "`") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard position < text.count else { throw mistake("the name has no closing back-tick", at: start) }
                position += 1
            } else {
                let first = position
                while position < text.count, Self.isWordByte(text[position]) { position += 1 }
                guard position > first else { throw mistake("a name is expected", at: first) }
            }
        } while takeDot()
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    /// A dot that belongs to a path: without white space, and before a name.
    private mutating func takeDot() -> Bool {
        guard position + 1 < text.count, text[position] == UInt8(ascii: "."),
            Self.isWordByte(text[position + 1]) || text[position + 1] == UInt8(ascii: "`")
        else { return false }
        position += 1
        return true
    }

    private mutating func word(_ what: String) throws(PipelineTextMistake) -> String {
        let start = next()
        guard start < text.count, Self.isWordStart(text[start]) else { throw mistake("\(what) is expected") }
        while position < text.count, Self.isWordByte(text[position]) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        isWordStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The position of the next token.
    private mutating func next() -> Int {
        _ = peek()
        return position
    }

    /// The first byte of the next token, behind white space and comments; nil at the end.
    private mutating func peek() -> UInt8? {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#"): while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
            default: return text[position]
            }
        }
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar, after what: String) throws(PipelineTextMistake) {
        guard take(character) else { throw mistake("“\(character)” is expected after \(what)") }
    }

    /// - Parameter stage: nil for a mistake in the stage that is being read.
    private func mistake(_ reason: String, at position: Int? = nil, stage: Int? = nil) -> PipelineTextMistake {
        PipelineTextMistake(stage: stage ?? max(1, starts.count), place: place(position ?? self.position), reason: reason)
    }

    /// The number of the stage that would begin here.
    private var nextStage: Int { starts.count + 1 }

    func place(_ position: Int) -> PipelineTextPlace {
        let before = text[..<min(position, text.count)]
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return PipelineTextPlace(line: line, column: String(decoding: before[start...], as: UTF8.self).count + 1)
    }
}
