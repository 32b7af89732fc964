// SPDX-License-Identifier: Apache-2.0

/// A bound on what a request holds, over every transport and of every caller: a row of the table of limits.
///
/// Errors, the page docs/reference/limits.md and tests come from these rows. A bound is checked before anything of that kind is read,
/// sorted or passed on, so that a refused request costs no more than its bytes.
package struct Limit: Sendable {
    /// What the service does at this place.
    package enum Service: Sendable, Equatable {
        /// It has the same limit.
        case same
        case other(String)
        /// Its documents name none.
        case unnamed
    }

    /// The name in tests and in the page.
    package let name: String
    package let value: Int
    /// A sentence with `#` in the place of the value: "a query has at most # orders".
    package let rule: String
    /// What to do instead; nil where the rule says it.
    package let advice: String?
    package let service: Service
    /// Why it is this value.
    package let reason: String

    private init(
        _ name: String, _ value: Int, _ rule: String, advice: String? = nil, service: Service = .unnamed, because reason: String
    ) {
        (self.name, self.value, self.rule, self.advice) = (name, value, rule, advice)
        (self.service, self.reason) = (service, reason)
    }

    /// Throws `invalidArgument` for a count beyond the limit.
    @inline(__always)
    package func check(_ count: Int, at location: @autoclosure () -> String? = nil) throws(FirestoreError) {
        if count > value { throw exceeded(at: location()) }
    }

    package func exceeded(at location: String? = nil) -> FirestoreError {
        let text = advice.map { "\(sentence); \($0)" } ?? sentence
        return location.map { .invalidArgument(text, at: $0) } ?? .invalidArgument(text)
    }

    /// The rule with its value: "a pipeline has at most 200 stages".
    package var sentence: String {
        let parts = rule.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.joined(separator: grouped)
    }

    /// The value for people, such as 10,000.
    package var grouped: String {
        var digits = String(value)
        var groups: [Substring] = []
        while digits.utf8.count > 3 {
            groups.insert(Substring(digits.suffix(3)), at: 0)
            digits = String(digits.dropLast(3))
        }
        return ([Substring(digits)] + groups).joined(separator: ",")
    }
}

// MARK: Writes

extension Limit {
    package static let commitWrites = Limit(
        "commitWrites", 50_000, "a commit has at most # writes", advice: "split it",
        service: .other("no count; 10 MiB"), because: "the writes of a commit are made in one go, and other commits wait for it")
    package static let transforms = Limit(
        "transforms", Limits.transformsPerDocument, "a commit has at most # field transforms for one document", advice: "split it",
        service: .same, because: "that of the service")
    package static let writeMask = Limit(
        "writeMask", 40_000, "an update mask has at most # field paths", advice: "split the update",
        service: .other("40,000 index entries of a document"), because: "no document that the service stores has more fields")
    package static let labels = Limit(
        "labels", 64, "a request has at most # labels", service: .same, because: "that of the service")
}

// MARK: Reads

extension Limit {
    package static let batchGet = Limit(
        "batchGet", 10_000, "a request names at most # documents", advice: "read the others in another request",
        because: "security rules judge each of them before the first is read")
    package static let listenDocuments = Limit(
        "listenDocuments", 1_000, "a target names at most # documents", advice: "listen to the others with another target",
        because: "a listener keeps each of them")
    package static let readMask = Limit(
        "readMask", 1_000, "a mask or a projection selects at most # fields", advice: "select a map that contains them, or read all fields",
        because: "every document of a result is compared with each of them")
    package static let components = Limit(
        "components", Limits.queryComponents, "a query has at most # filters and orders together, and a parent counts as one",
        service: .same, because: "that of the service")
    package static let orders = Limit(
        "orders", Limits.queryComponents, "a query has at most # orders", service: .same, because: "that of the service")
    package static let cursorValues = Limit(
        "cursorValues", Limits.queryComponents, "a cursor has at most # values", service: .same, because: "one for each order")
    package static let listValues = Limit(
        "listValues", Limits.inValues, "`in` and `array-contains-any` take at most # values", service: .same,
        because: "that of the service")
    package static let notInValues = Limit(
        "notInValues", Limits.notInValues, "`not-in` takes at most # values", service: .same, because: "that of the service")
    package static let disjunctions = Limit(
        "disjunctions", Limits.disjunctions, "a filter has at most # alternatives in disjunctive normal form",
        advice: "use fewer OR and in values", service: .same, because: "that of the service")
    package static let inequalityFields = Limit(
        "inequalityFields", Limits.inequalityFields, "a query has inequalities on at most # fields", service: .same,
        because: "that of the service")
    package static let aggregations = Limit(
        "aggregations", Limits.aggregations, "an aggregation has at most # aggregates", advice: "split it", service: .same,
        because: "that of the service")
    package static let vectorDimensions = Limit(
        "vectorDimensions", Limits.vectorDimensions, "a vector has at most # dimensions", service: .same, because: "that of the service")
    package static let nearestDocuments = Limit(
        "nearestDocuments", Limits.nearestDocuments, "a vector search finds at most # documents", service: .same,
        because: "that of the service")
    package static let indexFields = Limit(
        "indexFields", Limits.indexFields, "an index has at most # fields", service: .same, because: "that of the service")
}

// MARK: Administration

extension Limit {
    package static let fieldIndexes = Limit(
        "fieldIndexes", 20, "a field has at most # indexes of its own",
        because: "there are three orders and modes, each of a collection and of a group")
    package static let collectionIDs = Limit(
        "collectionIDs", 1_000, "an export, an import or a deletion names at most # collections", advice: "run several, or one of all",
        because: "every document is compared with each of them")
}

// MARK: Pipelines

extension Limit {
    package static let stages = Limit(
        "stages", 200, "a pipeline has at most # stages, those of the pipelines in it included",
        advice: "one stage can set, select and remove many fields",
        because: "stages pass rows to one another on the stack of a thread, which may have 512 KB")
    package static let pipelines = Limit(
        "pipelines", 100, "a pipeline has at most # pipelines in it", because: "security rules judge the source of each")
    package static let pipelineDepth = Limit(
        "pipelineDepth", PipelineLimits.pipelineDepth, "pipelines nest at most # levels deep", service: .same,
        because: "that of the service")
    package static let expressionDepth = Limit(
        "expressionDepth", PipelineLimits.expressionDepth, "an expression nests at most # levels deep, its literals included",
        because: "expressions are evaluated on the stack of a thread, which may have 512 KB")
    package static let valueDepth = Limit(
        "valueDepth", PipelineLimits.valueDepth, "a value that an expression makes nests at most # levels deep",
        because: "values are compared on the stack of a thread")
    package static let expressions = Limit(
        "expressions", 20_000, "a pipeline has at most # arguments, elements, entries and options together",
        advice: "write what is constant as one constant",
        because: "each of them is checked before anything is read, and evaluated for every row")
    package static let functionArguments = Limit(
        "functionArguments", 1_000, "a function other than a literal takes at most # arguments", advice: "nest calls, or pass an array",
        because: "a call holds the values of all its arguments")
    package static let stageFields = Limit(
        "stageFields", 1_000, "a stage names at most # fields, groups, aggregates, orders or variables", advice: "split it",
        because: "every row is compared with each of them")
    package static let variables = Limit(
        "variables", 1_000, "a pipeline binds at most # variables, those of the pipelines in it included",
        because: "rows that a stage holds keep the values of all variables")
    package static let pipelineDocuments = Limit(
        "pipelineDocuments", 10_000, "a pipeline names at most # documents, those of the pipelines in it included",
        advice: "find them by a condition, or run several pipelines", because: "security rules judge each of them before the first is read")
}

extension Limit {
    /// Each row once, in the order of the page.
    package static let all: [(title: String, rows: [Limit])] = [
        ("Writes", [commitWrites, transforms, writeMask, labels]),
        (
            "Reads and queries",
            [
                batchGet, listenDocuments, readMask, components, orders, cursorValues, listValues, notInValues, disjunctions,
                inequalityFields, aggregations, vectorDimensions, nearestDocuments, indexFields,
            ]
        ),
        ("Administration", [fieldIndexes, collectionIDs]),
        (
            "Pipelines",
            [
                stages, pipelines, pipelineDepth, expressionDepth, valueDepth, expressions, functionArguments, stageFields, variables,
                pipelineDocuments,
            ]
        ),
    ]
}
