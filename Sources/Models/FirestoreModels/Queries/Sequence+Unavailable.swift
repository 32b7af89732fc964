// SPDX-License-Identifier: Apache-2.0

// `[1, 2].contains($0.height)`, the usual form for arrays (docs/decisions/0046-names-of-the-models.md). Without these the compiler
// finds the `contains` of GRDB, which a program links but never imports, and reports its types.

extension Sequence {
    /// Not available: a condition begins with the field.
    @available(*, unavailable, message: "a condition begins with the field: write $0.field.isIn([1, 2]) for [1, 2].contains($0.field)")
    public func contains<Model, Kind>(_ field: ModelField<Model, Element, Kind>) -> ModelCondition<Model> { .rejected }
}

extension ClosedRange {
    /// Not available: a condition compares a field with one bound.
    @available(*, unavailable, message: "compare the field with both bounds: $0.field >= 1 && $0.field <= 3 for (1...3).contains($0.field)")
    public func contains<Model, Kind>(_ field: ModelField<Model, Bound, Kind>) -> ModelCondition<Model> { .rejected }
}

extension Range {
    /// Not available: a condition compares a field with one bound.
    @available(*, unavailable, message: "compare the field with both bounds: $0.field >= 1 && $0.field < 3 for (1..<3).contains($0.field)")
    public func contains<Model, Kind>(_ field: ModelField<Model, Bound, Kind>) -> ModelCondition<Model> { .rejected }
}
