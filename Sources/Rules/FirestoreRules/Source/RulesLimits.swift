// SPDX-License-Identifier: Apache-2.0

/// The limits of the language and of one evaluation.
package enum RulesLimits {
    package static let textBytes = 256 * 1024
    /// Match statements inside each other. The official emulator reports a maximum of ten and takes eleven.
    static let matchDepth = 11
    /// Segments of nested matches together.
    static let pathSegments = 100
    /// Wildcards of nested matches together.
    static let wildcards = 20
    static let callDepth = 20
    static let parameters = 7
    /// Ten are documented, the official emulator takes eleven.
    static let variables = 11
    /// Levels of operators, parentheses and arguments in one expression.
    static let expressionDepth = 99
    /// Levels of one expression, members and indexes included. The emulator has no such limit; it bounds the recursion.
    static let expressionHeight = 200
    /// Lists and maps in each other that functions can make together. The emulator has no such limit; documents have twenty levels.
    static let valueNesting = 100
    /// Levels of evaluation for which the stack of any thread is large enough. Deeper conditions get a separate thread.
    #if DEBUG
        static let shallowLevels = 16
    #else
        static let shallowLevels = 64
    #endif
    /// Expressions evaluated per request.
    package static let evaluations = 1000
    /// Documents read by conditions, per operation.
    package static let accessesPerOperation = 10
    /// Documents read by conditions, in a request of several operations.
    package static let accessesPerRequest = 20
    /// Code units of a string that a condition makes. Without it a condition could double a string until memory is exhausted.
    static let stringLength = 4 << 20
    /// Elements of a list that a condition makes.
    static let listLength = 1 << 20
}
