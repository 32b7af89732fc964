// SPDX-License-Identifier: Apache-2.0

/// A value that is computed for each row of a pipeline.
///
/// ```swift
/// let price = Field("price").multiply(1.19).round()
/// pipeline.where(price.lessThan(100)).select([Field("title"), price.as("gross")])
/// ```
/// Expressions begin with ``Field``, ``Constant``, ``Variable`` or a function without arguments, and are continued by methods. Building one
/// computes nothing. Parameters of type `Sendable` take values that Firestore can store, arrays and dictionaries of values and expressions,
/// and expressions.
///
/// If one of the arguments of a function is null or absent, so is the result; a method says so if it is different. Only the types of this
/// module are expressions: others must not conform.
public protocol Expression: Sendable {
    // MARK: Names and orders

    /// The expression as a condition. It changes nothing: a value that is not a Boolean is an error where the condition is evaluated.
    func asBoolean() -> any BooleanExpression
    /// The expression with a name, for stages that make fields. The name is a field path.
    func `as`(_ name: String) -> AliasedExpression
    /// The smallest value first.
    func ascending() -> Ordering
    /// The largest value first.
    func descending() -> Ordering

    // MARK: Arithmetic

    /// Rounds to the nearest integer, halves away from zero.
    func round() -> FunctionExpression
    /// The square root.
    func sqrt() -> FunctionExpression
    /// The natural logarithm.
    func ln() -> FunctionExpression
    /// The largest integer that is not greater.
    func floor() -> FunctionExpression
    /// The power of e.
    func exp() -> FunctionExpression
    /// The smallest integer that is not smaller.
    func ceil() -> FunctionExpression
    /// The absolute value.
    func abs() -> FunctionExpression
    /// The integer towards zero.
    func trunc() -> FunctionExpression
    /// Raises to a power.
    func pow(_ exponent: any Sendable) -> FunctionExpression
    /// Raises to a power.
    func pow(_ exponent: any Expression) -> FunctionExpression
    /// Cuts the number behind a decimal place.
    func truncToPrecision(_ decimalPlace: any Sendable) -> FunctionExpression
    /// Cuts the number behind a decimal place.
    func truncToPrecision(_ decimalPlace: any Expression) -> FunctionExpression
    /// The sum.
    func add(_ value: any Expression) -> FunctionExpression
    /// The sum.
    func add(_ value: any Sendable) -> FunctionExpression
    /// The difference.
    func subtract(_ other: any Expression) -> FunctionExpression
    /// The difference.
    func subtract(_ other: any Sendable) -> FunctionExpression
    /// The product.
    func multiply(_ value: any Expression) -> FunctionExpression
    /// The product.
    func multiply(_ value: any Sendable) -> FunctionExpression
    /// The quotient. Two integers give an integer.
    func divide(_ other: any Expression) -> FunctionExpression
    /// The quotient. Two integers give an integer.
    func divide(_ other: any Sendable) -> FunctionExpression
    /// The remainder, with the sign of the dividend.
    func mod(_ other: any Expression) -> FunctionExpression
    /// The remainder, with the sign of the dividend.
    func mod(_ other: any Sendable) -> FunctionExpression

    // MARK: Arrays

    /// The elements in reverse order.
    func arrayReverse() -> FunctionExpression
    /// The elements of several arrays, one array after the other.
    func arrayConcat(_ arrays: [any Expression]) -> FunctionExpression
    /// The elements of several arrays, one array after the other.
    func arrayConcat(_ arrays: [[any Sendable]]) -> FunctionExpression
    /// The number of elements.
    func arrayLength() -> FunctionExpression
    /// Whether an element is equal to the value.
    func arrayContains(_ element: any Expression) -> any BooleanExpression
    /// Whether an element is equal to the value.
    func arrayContains(_ element: any Sendable) -> any BooleanExpression
    /// Whether every value is equal to an element.
    func arrayContainsAll(_ values: [any Expression]) -> any BooleanExpression
    /// Whether every value is equal to an element.
    func arrayContainsAll(_ values: [any Sendable]) -> any BooleanExpression
    /// Whether every value is equal to an element.
    func arrayContainsAll(_ arrayExpression: any Expression) -> any BooleanExpression
    /// Whether any of the values is equal to an element.
    func arrayContainsAny(_ values: [any Expression]) -> any BooleanExpression
    /// Whether any of the values is equal to an element.
    func arrayContainsAny(_ values: [any Sendable]) -> any BooleanExpression
    /// Whether any of the values is equal to an element.
    func arrayContainsAny(_ arrayExpression: any Expression) -> any BooleanExpression
    /// The elements for which a condition is true. In the condition, `Variable(alias)` is the element.
    func arrayFilter(alias: String, filter: any BooleanExpression) -> FunctionExpression
    /// The results of an expression for each element. In the expression, `Variable(elementAlias)` is the element.
    func arrayTransform(elementAlias: String, transform: any Expression) -> FunctionExpression
    /// The results of an expression for each element. In the expression, `Variable(indexAlias)` is its position, from 0.
    func arrayTransformWithIndex(elementAlias: String, indexAlias: String, transform: any Expression) -> FunctionExpression
    /// The elements from a position on. A negative position counts from the end.
    func arraySlice(offset: Int) -> FunctionExpression
    /// The elements from a position on. A negative position counts from the end.
    func arraySlice(offset: any Expression) -> FunctionExpression
    /// A number of elements from a position on. A negative position counts from the end.
    func arraySlice(offset: Int, length: Int) -> FunctionExpression
    /// A number of elements from a position on. A negative position counts from the end.
    func arraySlice(offset: any Expression, length: any Expression) -> FunctionExpression
    /// A number of elements from a position on. A negative position counts from the end.
    func arraySlice(offset: Int, length: any Expression) -> FunctionExpression
    /// A number of elements from a position on. A negative position counts from the end.
    func arraySlice(offset: any Expression, length: Int) -> FunctionExpression
    /// The first element.
    func arrayFirst() -> FunctionExpression
    /// The first elements.
    func arrayFirstN(_ n: Int) -> FunctionExpression
    /// The first elements.
    func arrayFirstN(_ n: any Expression) -> FunctionExpression
    /// The last element.
    func arrayLast() -> FunctionExpression
    /// The last elements.
    func arrayLastN(_ n: Int) -> FunctionExpression
    /// The last elements.
    func arrayLastN(_ n: any Expression) -> FunctionExpression
    /// The element at a position, absent if there is none. A negative position counts from the end.
    func arrayGet(_ offset: Int) -> FunctionExpression
    /// The element at a position, absent if there is none. A negative position counts from the end.
    func arrayGet(_ offsetExpression: any Expression) -> FunctionExpression
    /// The position of the first element that is equal to the value; −1 if there is none.
    func arrayIndexOf(_ value: any Sendable) -> FunctionExpression
    /// The position of the first element that is equal to the value; −1 if there is none.
    func arrayIndexOf(_ value: any Expression) -> FunctionExpression
    /// The position of the last element that is equal to the value; −1 if there is none.
    func arrayLastIndexOf(_ value: any Sendable) -> FunctionExpression
    /// The position of the last element that is equal to the value; −1 if there is none.
    func arrayLastIndexOf(_ value: any Expression) -> FunctionExpression
    /// The positions of all elements that are equal to the value.
    func arrayIndexOfAll(_ value: any Sendable) -> FunctionExpression
    /// The positions of all elements that are equal to the value.
    func arrayIndexOfAll(_ value: any Expression) -> FunctionExpression
    /// The largest element.
    func arrayMaximum() -> FunctionExpression
    /// The smallest element.
    func arrayMinimum() -> FunctionExpression
    /// The largest elements, the largest first.
    func arrayMaximumN(_ n: Int) -> FunctionExpression
    /// The largest elements, the largest first.
    func arrayMaximumN(_ n: any Expression) -> FunctionExpression
    /// The smallest elements, the smallest first.
    func arrayMinimumN(_ n: Int) -> FunctionExpression
    /// The smallest elements, the smallest first.
    func arrayMinimumN(_ n: any Expression) -> FunctionExpression
    /// The elements, which are strings or bytes, joined.
    func join(delimiter: String) -> FunctionExpression

    // MARK: Comparisons

    /// Whether the value is greater than another one of its type.
    func greaterThan(_ other: any Expression) -> any BooleanExpression
    /// Whether the value is greater than another one of its type.
    func greaterThan(_ other: any Sendable) -> any BooleanExpression
    /// Whether the value is greater than another one of its type, or equal.
    func greaterThanOrEqual(_ other: any Expression) -> any BooleanExpression
    /// Whether the value is greater than another one of its type, or equal.
    func greaterThanOrEqual(_ other: any Sendable) -> any BooleanExpression
    /// Whether the value is less than another one of its type.
    func lessThan(_ other: any Expression) -> any BooleanExpression
    /// Whether the value is less than another one of its type.
    func lessThan(_ other: any Sendable) -> any BooleanExpression
    /// Whether the value is less than another one of its type, or equal.
    func lessThanOrEqual(_ other: any Expression) -> any BooleanExpression
    /// Whether the value is less than another one of its type, or equal.
    func lessThanOrEqual(_ other: any Sendable) -> any BooleanExpression
    /// Whether the values are equal. An absent value is not equal to null.
    func equal(_ other: any Expression) -> any BooleanExpression
    /// Whether the values are equal. An absent value is not equal to null.
    func equal(_ other: any Sendable) -> any BooleanExpression
    /// Whether the values are not equal. True for an absent value.
    func notEqual(_ other: any Expression) -> any BooleanExpression
    /// Whether the values are not equal. True for an absent value.
    func notEqual(_ other: any Sendable) -> any BooleanExpression
    /// Whether the value is equal to any of several.
    func equalAny(_ others: [any Expression]) -> any BooleanExpression
    /// Whether the value is equal to any of several.
    func equalAny(_ others: [any Sendable]) -> any BooleanExpression
    /// Whether the value is equal to any of several.
    func equalAny(_ arrayExpression: any Expression) -> any BooleanExpression
    /// Whether the value is equal to none of several. True for an absent value.
    func notEqualAny(_ others: [any Expression]) -> any BooleanExpression
    /// Whether the value is equal to none of several. True for an absent value.
    func notEqualAny(_ others: [any Sendable]) -> any BooleanExpression
    /// Whether the value is equal to none of several. True for an absent value.
    func notEqualAny(_ arrayExpression: any Expression) -> any BooleanExpression
    /// Whether there is a value, which may be null.
    func exists() -> any BooleanExpression
    /// Whether the evaluation is an error.
    func isError() -> any BooleanExpression
    /// Whether the value is missing. Null is a value.
    func isAbsent() -> any BooleanExpression
    /// The greatest of this value and others, of any type. Null and absent values are ignored.
    func logicalMaximum(_ expressions: [any Expression]) -> FunctionExpression
    /// The greatest of this value and others, of any type. Null and absent values are ignored.
    func logicalMaximum(_ values: [any Sendable]) -> FunctionExpression
    /// The least of this value and others, of any type. Null and absent values are ignored.
    func logicalMinimum(_ expressions: [any Expression]) -> FunctionExpression
    /// The least of this value and others, of any type. Null and absent values are ignored.
    func logicalMinimum(_ values: [any Sendable]) -> FunctionExpression

    // MARK: Replacements and types

    /// The other expression if the evaluation is an error.
    func ifError(_ catchExpression: any Expression) -> FunctionExpression
    /// The value if the evaluation is an error.
    func ifError(_ catchValue: any Sendable) -> FunctionExpression
    /// Replaces a missing value, but not null.
    func ifAbsent(_ defaultValue: any Sendable) -> FunctionExpression
    /// Replaces null and a missing value.
    func ifNull(_ value: any Sendable) -> FunctionExpression
    /// Replaces null and a missing value by an expression.
    func ifNull(_ value: any Expression) -> FunctionExpression
    /// The first value that is neither absent nor null.
    func coalesce(_ values: [any Expression]) -> FunctionExpression
    /// The name of the type of the value, such as `int64`, `string` or `map`.
    func type() -> FunctionExpression
    /// Whether the value has a type: a name that ``type()`` gives, or `number`.
    func isType(_ type: String) -> any BooleanExpression

    // MARK: Strings and bytes

    /// The parts between delimiters.
    func split(delimiter: String) -> FunctionExpression
    /// The parts between delimiters.
    func split(delimiter: any Expression) -> FunctionExpression
    /// The number of characters, bytes, elements or entries.
    func length() -> FunctionExpression
    /// The number of characters.
    func charLength() -> FunctionExpression
    /// The number of bytes; of a string, in UTF-8.
    func byteLength() -> FunctionExpression
    /// Whether the whole string matches a pattern: `%` is any text, `_` any character.
    func like(_ pattern: String) -> any BooleanExpression
    /// Whether the whole string matches a pattern: `%` is any text, `_` any character.
    func like(_ pattern: any Expression) -> any BooleanExpression
    /// Whether a part of the string matches a regular expression, in the syntax of RE2.
    func regexContains(_ pattern: String) -> any BooleanExpression
    /// Whether a part of the string matches a regular expression, in the syntax of RE2.
    func regexContains(_ pattern: any Expression) -> any BooleanExpression
    /// Whether the whole string matches a regular expression, in the syntax of RE2.
    func regexMatch(_ pattern: String) -> any BooleanExpression
    /// Whether the whole string matches a regular expression, in the syntax of RE2.
    func regexMatch(_ pattern: any Expression) -> any BooleanExpression
    /// Whether the string contains another one.
    func stringContains(_ substring: String) -> any BooleanExpression
    /// Whether the string contains another one.
    func stringContains(_ expression: any Expression) -> any BooleanExpression
    /// Whether the string begins with another one.
    func startsWith(_ prefix: String) -> any BooleanExpression
    /// Whether the string begins with another one.
    func startsWith(_ prefix: any Expression) -> any BooleanExpression
    /// Whether the string ends with another one.
    func endsWith(_ suffix: String) -> any BooleanExpression
    /// Whether the string ends with another one.
    func endsWith(_ suffix: any Expression) -> any BooleanExpression
    /// The first part that matches a regular expression; null if there is none.
    func regexFind(_ pattern: String) -> FunctionExpression
    /// The first part that matches a regular expression; null if there is none.
    func regexFind(_ pattern: any Expression) -> FunctionExpression
    /// All parts that match a regular expression.
    func regexFindAll(_ pattern: String) -> FunctionExpression
    /// All parts that match a regular expression.
    func regexFindAll(_ pattern: any Expression) -> FunctionExpression
    /// The string in lower case.
    func toLower() -> FunctionExpression
    /// The string in upper case.
    func toUpper() -> FunctionExpression
    /// The string without white space at both ends.
    func trim() -> FunctionExpression
    /// The string without any of some characters at both ends.
    func trim(_ value: String) -> FunctionExpression
    /// The string without any of some characters at both ends.
    func trim(_ value: any Expression) -> FunctionExpression
    /// The string without white space at the beginning.
    func ltrim() -> FunctionExpression
    /// The string without any of some characters at the beginning.
    func ltrim(_ characters: String) -> FunctionExpression
    /// The string without any of some characters at the beginning.
    func ltrim(_ characters: any Expression) -> FunctionExpression
    /// The string without white space at the end.
    func rtrim() -> FunctionExpression
    /// The string without any of some characters at the end.
    func rtrim(_ characters: String) -> FunctionExpression
    /// The string without any of some characters at the end.
    func rtrim(_ characters: any Expression) -> FunctionExpression
    /// The string, a number of times.
    func stringRepeat(_ count: Int) -> FunctionExpression
    /// The string, a number of times.
    func stringRepeat(_ count: any Expression) -> FunctionExpression
    /// The string with every occurrence of a text replaced.
    func stringReplaceAll(_ oldValue: String, with newValue: String) -> FunctionExpression
    /// The string with every occurrence of a text replaced.
    func stringReplaceAll(_ oldValue: any Expression, with newValue: any Expression) -> FunctionExpression
    /// The string with the first occurrence of a text replaced.
    func stringReplaceOne(_ oldValue: String, with newValue: String) -> FunctionExpression
    /// The string with the first occurrence of a text replaced.
    func stringReplaceOne(_ oldValue: any Expression, with newValue: any Expression) -> FunctionExpression
    /// The position of the first occurrence of a text; −1 if there is none.
    func stringIndexOf(_ substring: String) -> FunctionExpression
    /// The position of the first occurrence of a text; −1 if there is none.
    func stringIndexOf(_ substring: any Expression) -> FunctionExpression
    /// The string and others, joined.
    func stringConcat(_ strings: [any Expression]) -> FunctionExpression
    /// The string and others, joined.
    func stringConcat(_ strings: [any Sendable]) -> FunctionExpression
    /// The value and others of its type, joined: strings, bytes or arrays.
    func concat(_ values: [any Sendable]) -> FunctionExpression
    /// The string, bytes or array in reverse order.
    func reverse() -> FunctionExpression
    /// The string or bytes in reverse order.
    func stringReverse() -> FunctionExpression
    /// The characters from a position on, up to a number of them. A negative position counts from the end.
    func substring(position: Int, length: Int?) -> FunctionExpression
    /// The characters from a position on, up to a number of them. A negative position counts from the end.
    func substring(position: any Expression, length: (any Expression)?) -> FunctionExpression

    // MARK: Maps

    /// The entry of a map, or the field of a document, with a name.
    func getField(_ key: String) -> FunctionExpression
    /// The entry of a map, or the field of a document, with a name.
    func getField(_ expression: any Expression) -> FunctionExpression
    /// The entry of a map with a key, absent if there is none. Dots belong to the key.
    func mapGet(_ subfield: String) -> FunctionExpression
    /// The map without a key.
    func mapRemove(_ key: String) -> FunctionExpression
    /// The map without a key.
    func mapRemove(_ keyExpression: any Expression) -> FunctionExpression
    /// The map with the entries of others. Of equal keys the last is used.
    func mapMerge(_ maps: [[String: any Sendable]]) -> FunctionExpression
    /// The map with the entries of others. Of equal keys the last is used.
    func mapMerge(_ maps: [any Expression]) -> FunctionExpression
    /// The map with entries set: keys and values take turns.
    func mapSet(_ key: any Expression, _ value: any Expression, _ moreKeyValues: any Expression...) -> FunctionExpression
    /// The map with entries set: keys and values take turns.
    func mapSet(_ key: String, _ value: any Sendable, _ moreKeyValues: any Sendable...) -> FunctionExpression
    /// The keys of the map.
    func mapKeys() -> FunctionExpression
    /// The values of the map.
    func mapValues() -> FunctionExpression
    /// The entries of the map, each a map of `k` and `v`.
    func mapEntries() -> FunctionExpression

    // MARK: Aggregates

    /// The number of rows in which there is a value other than null.
    func count() -> AggregateFunction
    /// The number of different values other than null.
    func countDistinct() -> AggregateFunction
    /// The sum of the numbers.
    func sum() -> AggregateFunction
    /// The average of the numbers; null if there are none.
    func average() -> AggregateFunction
    /// The least value other than null.
    func minimum() -> AggregateFunction
    /// The greatest value other than null.
    func maximum() -> AggregateFunction
    /// The value of the first row.
    func first() -> AggregateFunction
    /// The value of the last row.
    func last() -> AggregateFunction
    /// All values, as an array.
    func arrayAgg() -> AggregateFunction
    /// All different values, as an array.
    func arrayAggDistinct() -> AggregateFunction

    // MARK: Vectors

    /// The number of dimensions of the vector.
    func vectorLength() -> FunctionExpression
    /// One minus the cosine of the angle to another vector.
    func cosineDistance(_ expression: any Expression) -> FunctionExpression
    /// One minus the cosine of the angle to another vector.
    func cosineDistance(_ vector: VectorValue) -> FunctionExpression
    /// One minus the cosine of the angle to another vector.
    func cosineDistance(_ vector: [Double]) -> FunctionExpression
    /// The dot product with another vector.
    func dotProduct(_ expression: any Expression) -> FunctionExpression
    /// The dot product with another vector.
    func dotProduct(_ vector: VectorValue) -> FunctionExpression
    /// The dot product with another vector.
    func dotProduct(_ vector: [Double]) -> FunctionExpression
    /// The Euclidean distance to another vector.
    func euclideanDistance(_ expression: any Expression) -> FunctionExpression
    /// The Euclidean distance to another vector.
    func euclideanDistance(_ vector: VectorValue) -> FunctionExpression
    /// The Euclidean distance to another vector.
    func euclideanDistance(_ vector: [Double]) -> FunctionExpression

    // MARK: Times

    /// The time that is a number of microseconds after 1970 in UTC.
    func unixMicrosToTimestamp() -> FunctionExpression
    /// The microseconds of the time since 1970 in UTC, rounded down.
    func timestampToUnixMicros() -> FunctionExpression
    /// The time that is a number of milliseconds after 1970 in UTC.
    func unixMillisToTimestamp() -> FunctionExpression
    /// The milliseconds of the time since 1970 in UTC, rounded down.
    func timestampToUnixMillis() -> FunctionExpression
    /// The time that is a number of seconds after 1970 in UTC.
    func unixSecondsToTimestamp() -> FunctionExpression
    /// The seconds of the time since 1970 in UTC, rounded down.
    func timestampToUnixSeconds() -> FunctionExpression
    /// The beginning of the period in which the time is, in UTC.
    func timestampTruncate(granularity: TimeGranularity) -> FunctionExpression
    /// The beginning of the period in which the time is, in UTC.
    func timestampTruncate(granularity: any Sendable) -> FunctionExpression
    /// The beginning of the period in which the time is, in a time zone such as `Europe/Berlin`.
    func timestampTruncate(granularity: TimeGranularity, timezone: any Sendable) -> FunctionExpression
    /// The beginning of the period in which the time is, in a time zone such as `Europe/Berlin`.
    func timestampTruncate(granularity: any Sendable, timezone: any Sendable) -> FunctionExpression
    /// The whole units from another time to this one.
    func timestampDiff(_ start: any Expression, _ unit: TimeUnit) -> FunctionExpression
    /// The whole units from another time to this one.
    func timestampDiff(_ start: any Expression, _ unit: any Sendable) -> FunctionExpression
    /// A part of the time, in UTC.
    func timestampExtract(part: TimePart) -> FunctionExpression
    /// A part of the time, in UTC.
    func timestampExtract(part: any Sendable) -> FunctionExpression
    /// A part of the time, in a time zone such as `Europe/Berlin`.
    func timestampExtract(part: TimePart, timezone: any Sendable) -> FunctionExpression
    /// A part of the time, in a time zone such as `Europe/Berlin`.
    func timestampExtract(part: any Sendable, timezone: any Sendable) -> FunctionExpression
    /// A later time.
    func timestampAdd(_ amount: Int, _ unit: TimeUnit) -> FunctionExpression
    /// A later time.
    func timestampAdd(amount: any Expression, unit: any Sendable) -> FunctionExpression
    /// An earlier time.
    func timestampSubtract(_ amount: Int, _ unit: TimeUnit) -> FunctionExpression
    /// An earlier time.
    func timestampSubtract(amount: any Expression, unit: any Sendable) -> FunctionExpression

    // MARK: References

    /// The id of the document that a reference names.
    func documentId() -> FunctionExpression
    /// The id of the collection that contains the document of a reference.
    func collectionId() -> FunctionExpression
    /// The document that contains the collection of the document of a reference.
    func parent() -> FunctionExpression
}
