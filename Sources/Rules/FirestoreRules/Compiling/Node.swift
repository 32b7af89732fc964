// SPDX-License-Identifier: Apache-2.0

/// The index of a node in a program.
typealias NodeID = Int

/// A part of a condition, ready to be evaluated. Everything that has a name in the text has a number here.
enum Node: BitwiseCopyable, Sendable {
    /// A value that the text contains, by its index among the constants.
    case constant(Int32)
    case boolean(Bool)
    case integer(Int64)
    case null

    case request
    case resource
    /// A wildcard, by its position among the wildcards of the match and those around it.
    case capture(Int32, isGlob: Bool)
    /// A parameter or variable of the function, by its position.
    case local(Int32)
    /// A name that means nothing, which has no value (SR-8).
    case unknownName

    case not(Int32)
    case negate(Int32)
    case and(Int32, Int32)
    case or(Int32, Int32)
    case equal(Int32, Int32)
    case notEqual(Int32, Int32)
    case comparison(Comparison, Int32, Int32)
    case arithmetic(Arithmetic, Int32, Int32)
    case membership(Int32, Int32)
    case typeTest(Int32, ValueType)
    case conditional(Int32, Int32, Int32)

    /// With the index of the name among the strings.
    case member(Int32, name: Int32)
    case index(Int32, Int32)
    /// Missing bounds are −1.
    case slice(Int32, from: Int32, to: Int32)

    case list(Operands)
    /// Keys and values alternate.
    case map(Operands)
    /// By its index among the path templates.
    case path(Int32)

    case call(function: Int32, Operands)
    case method(MethodName, Int32, Operands)
    case library(LibraryFunction, Operands)
    case access(DocumentAccess, Int32)
    /// A function or method that does not exist, with the index of its name among the strings.
    case unknownFunction(name: Int32)
    case unknownMethod(Int32, name: Int32, Operands)
    /// A call with the wrong number of arguments, by its index among the miscalls.
    case miscall(Int32)
}

/// A part of the program's list of operands.
struct Operands: BitwiseCopyable, Sendable {
    let start: Int32
    let count: Int32

    var range: Range<Int> { Int(start)..<Int(start + count) }
}

enum Arithmetic: String, BitwiseCopyable, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
}

/// Functions that read documents (SR-84).
enum DocumentAccess: String, BitwiseCopyable, Sendable {
    case get, exists, getAfter, existsAfter

    var isAfter: Bool { self == .getAfter || self == .existsAfter }
    var isExistence: Bool { self == .exists || self == .existsAfter }
}

enum MethodName: String, BitwiseCopyable, Sendable {
    case size, lower, upper, trim, matches, replace, split, toUtf8
    case toBase64, toHexString
    case concat, hasAny, hasAll, hasOnly, removeAll, join, toSet
    case union, intersection, difference
    case keys, values, get, diff
    case addedKeys, removedKeys, changedKeys, affectedKeys, unchangedKeys
    case year, month, day, hours, minutes, seconds, nanos, dayOfYear, dayOfWeek, date, time, toMillis
    case latitude, longitude, distance
    case bind
}

enum LibraryFunction: String, BitwiseCopyable, Sendable {
    case string, int, float, path, debug
    case abs = "math.abs", ceil = "math.ceil", floor = "math.floor", sqrt = "math.sqrt", round = "math.round", pow = "math.pow"
    case isNaN = "math.isNaN", isInfinite = "math.isInfinite"
    case crc32 = "hashing.crc32", crc32c = "hashing.crc32c", md5 = "hashing.md5", sha256 = "hashing.sha256"
    case timestampDate = "timestamp.date", timestampValue = "timestamp.value"
    case durationValue = "duration.value", durationTime = "duration.time", durationAbs = "duration.abs"
    case latlngValue = "latlng.value"
}
