// SPDX-License-Identifier: Apache-2.0

/// The functions of expressions, by name.
enum FunctionTable {
    private static let families: [[FunctionDefinition]] = [
        LogicFunctions.all, ComparisonFunctions.all, DebuggingFunctions.all, ConstructorFunctions.all,
        ArithmeticFunctions.all, ExtremeFunctions.all, ArrayFunctions.all, MapFunctions.all, TextFunctions.all, TrimmingFunctions.all,
        PatternFunctions.all, TimeFunctions.all, ReferenceFunctions.all, VectorFunctions.all,
    ]

    /// All, family by family.
    static let all: [FunctionDefinition] = Array(families.joined())

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let comparisons = Set((LogicFunctions.all + ComparisonFunctions.all).map(\.name))

    /// Whether a function compares values, or combines comparisons.
    static func isComparison(_ name: String) -> Bool { comparisons.contains(name) }

    /// nil for a name that is no function.
    static subscript(name: String) -> FunctionDefinition? { byName[name] }
}
