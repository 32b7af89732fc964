/// Why one value could not be written, before path and wording are known.
enum WriteFailure: Error {
    /// The container is not the innermost one at the moment: its parent's value is still being encoded, or it is closed.
    case notCurrent
    /// A value has been written under this name already, and it is no container of this kind (R51).
    case nameTaken(String)
    /// A document is a map of fields; this is something else (R7).
    case topLevel
    /// A second single value for the same value (R52).
    case alreadyWritten
    case reservedName(String)
    case emptyName
    case nestedArray
    case tooDeep
    case sentinelInArray
    /// The integer.
    case outsideInt64(String)
    case nonConformingFloat
    case timestampRange
    case geoPointRange

    var reason: String {
        switch self {
        case .notCurrent: "was written to after the value it belongs to had been encoded"
        case .nameTaken(let name): "a container was asked for under '\(name)', which holds something else"
        case .topLevel: "a document must be a map of fields, and this value is none"
        case .alreadyWritten: "was encoded twice: a value is either one single value or one container"
        case .reservedName(let name): "the name '\(name)' is reserved: names that begin and end with '__' are"
        case .emptyName: "a field name must not be empty"
        case .nestedArray: "an array cannot directly hold another array; put a map in between"
        case .tooDeep: "maps and arrays are nested more than 20 levels deep"
        case .sentinelInArray: "a FieldValue, or a @ServerTimestamp that is nil, cannot stand inside an array"
        case .outsideInt64(let number): "the integer \(number) is outside the range of Int64 and cannot be stored"
        case .nonConformingFloat:
            "NaN and infinity are refused unless nonConformingFloatEncodingStrategy turns them into strings"
        case .timestampRange: "a timestamp must lie in the years 1 to 9999"
        case .geoPointRange: "a geopoint's latitude must be within ±90 and its longitude within ±180"
        }
    }

    func error(value: Any, path: [any CodingKey]) -> EncodingError {
        let place = CodingPathText.text(path)
        let subject = path.isEmpty ? "" : "field '\(place)': "
        return .invalidValue(value, .init(codingPath: path, debugDescription: subject + reason + "."))
    }
}
