// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The values of the tags.
extension TypedJSONReader {
    mutating func content(of tag: TypedJSONTag, levels: Int) throws(JSONProblem) {
        // For errors: the token is consumed before it is interpreted.
        _ = scanner.peek()
        let start = scanner.position
        switch tag {
        case .timestamp:
            guard let time = TimestampValue(text: try string(of: tag)) else {
                throw JSONProblem("\(tag.rawValue) takes a time of RFC 3339 within the years 1 to 9999, as 2026-11-21T09:30:00Z", at: start)
            }
            output.append(.timestamp(time.truncatedToMicroseconds))
        case .bytes:
            guard let bytes = Base64.decode(try string(of: tag)) else { throw JSONProblem("\(tag.rawValue) takes base64", at: start) }
            output.append(.bytes(bytes))
        case .reference: output.append(.reference(try reference(try string(of: tag), at: start)))
        case .geopoint: output.append(.geoPoint(try geoPoint()))
        case .double: output.append(double: try markedDouble(at: start))
        case .integer:
            let text = scanner.peek() == UInt8(ascii: "\"") ? try string(of: tag) : scanner.text(of: try scanner.number())
            guard let integer = Int64(text) else {
                throw JSONProblem("\(tag.rawValue) takes a whole number of 64 bits", at: start)
            }
            output.append(integer: integer)
        case .vector: try vector()
        case .map:
            guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("\(tag.rawValue) takes an object") }
            try map(first: nil, levels: levels - 1)
        }
    }

    private mutating func string(of tag: TypedJSONTag) throws(JSONProblem) -> String {
        guard scanner.peek() == UInt8(ascii: "\"") else { throw scanner.problem("\(tag.rawValue) takes a string") }
        return try text(of: try scanner.string())
    }

    /// The full name of a reference: a path refers to this database. (The number of segments distinguishes the two.)
    private func reference(_ text: String, at start: Int) throws(JSONProblem) -> String {
        var text = text
        if text.withUTF8({ ReferenceName(UnsafeRawBufferPointer($0)) != nil }) { return text }
        do throws(FirestoreError) {
            return database.name(of: try PathCheck.documentKey(text))
        } catch {
            throw JSONProblem("$reference takes the path of a document: \(error.message)", at: start)
        }
    }

    private mutating func geoPoint() throws(JSONProblem) -> GeoPointValue {
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.problem("$geopoint takes an object") }
        var latitude: Double?
        var longitude: Double?
        repeat {
            _ = scanner.peek()
            let start = scanner.position
            let name = try text(of: try scanner.name())
            switch name {
            case "latitude" where latitude == nil: latitude = try anyNumber()
            case "longitude" where longitude == nil: longitude = try anyNumber()
            default: throw JSONProblem("$geopoint has a latitude and a longitude, once each, and nothing else", at: start)
            }
        } while scanner.take(UInt8(ascii: ","))
        guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a comma or a brace is missing") }
        guard let latitude, let longitude else { throw scanner.problem("$geopoint needs a latitude and a longitude") }
        return GeoPointValue(latitude: latitude, longitude: longitude)
    }

    private mutating func vector() throws(JSONProblem) {
        guard scanner.take(UInt8(ascii: "[")) else { throw scanner.problem("$vector takes an array of numbers") }
        var components: [Double] = []
        if !scanner.take(UInt8(ascii: "]")) {
            repeat {
                do throws(JSONProblem) {
                    components.append(try anyNumber())
                } catch {
                    throw error.inside(.element(components.count))
                }
            } while scanner.take(UInt8(ascii: ","))
            guard scanner.take(UInt8(ascii: "]")) else { throw scanner.problem("a comma or a bracket is missing") }
        }
        output.append(.vector(components))
    }

    /// A number, whole or not, or a marked double, where only doubles are allowed.
    private mutating func anyNumber() throws(JSONProblem) -> Double {
        switch scanner.peek() {
        case UInt8(ascii: "{"):
            _ = scanner.take(UInt8(ascii: "{"))
            let start = scanner.position
            guard try text(of: try scanner.name()) == TypedJSONTag.double.rawValue else {
                throw JSONProblem("a number is expected", at: start)
            }
            let number = try markedDouble(at: start)
            guard scanner.take(UInt8(ascii: "}")) else { throw scanner.problem("a brace is missing") }
            return number
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte): return try double(try scanner.number())
        default: throw scanner.problem("a number is expected")
        }
    }

    private mutating func markedDouble(at start: Int) throws(JSONProblem) -> Double {
        if scanner.peek() != UInt8(ascii: "\"") {
            guard let byte = scanner.peek(), byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else {
                throw scanner.problem("$double takes a number, or \"NaN\", \"Infinity\", \"-Infinity\"")
            }
            return try double(try scanner.number())
        }
        switch try string(of: .double) {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default: throw JSONProblem("$double takes a number, or \"NaN\", \"Infinity\", \"-Infinity\"", at: start)
        }
    }
}
