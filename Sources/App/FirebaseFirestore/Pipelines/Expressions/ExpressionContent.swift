// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An expression as it is sent, and what is wrong with it.
struct ExpressionContent: Sendable {
    /// A null if the expression cannot be sent; `faults` says why.
    let argument: PipelineArgument
    let faults: PipelineFaults
    /// How deep functions and pipelines nest in it. Deeper arguments than a server accepts are never made, so that copying and destroying
    /// them cannot exhaust the stack.
    let depth: Int
    /// The database of the pipelines in it; nil if there are none.
    let database: DatabaseID?

    init(_ argument: PipelineArgument) {
        self.argument = argument
        faults = PipelineFaults()
        depth = 0
        database = nil
    }

    /// A constant.
    init(_ value: Value) { self.init(.value(value)) }

    /// What cannot be sent.
    init(_ error: FirestoreError) { self.init(.value(.null), PipelineFaults(error), depth: 0) }

    init(_ argument: PipelineArgument, _ faults: PipelineFaults, depth: Int, database: DatabaseID? = nil) {
        let isTooDeep = depth > PipelineLimits.expressionDepth
        self.argument = isTooDeep ? .value(.null) : argument
        self.depth = isTooDeep ? 0 : depth
        self.database = database
        var faults = faults
        if isTooDeep {
            faults.add(PipelineFaults(.invalidArgument("expressions nest at most \(PipelineLimits.expressionDepth) levels deep")))
        }
        self.faults = faults
    }

    /// A value made of parts, one level deeper than the deepest of them.
    init(_ parts: ExpressionParts, _ make: ([PipelineArgument]) throws(FirestoreError) -> PipelineArgument) {
        var faults = parts.faults
        var argument = PipelineArgument.value(.null)
        do throws(FirestoreError) {
            argument = try make(parts.arguments)
        } catch {
            faults.add(PipelineFaults(error))
        }
        self.init(argument, faults, depth: parts.depth + 1, database: parts.database)
    }

    /// A call of a function.
    init(call name: String, _ arguments: [ExpressionContent], options: [(String, ExpressionContent)] = []) {
        self.init(ExpressionParts(arguments + options.map(\.1))) { parts in
            let named = zip(options.map(\.0), parts[arguments.count...]).map { ($0, $1) }
            return .function(
                PipelineFunction(name, Array(parts[..<arguments.count]), options: Dictionary(named, uniquingKeysWith: { $1 })))
        }
    }

    /// The content of an expression of this module; other modules cannot define expressions.
    init(of expression: any Expression) {
        if let expression = expression as? any ContentExpression {
            self = expression.content
        } else {
            let reason = "\(type(of: expression)) is not an expression of Firestore; build one from Field and Constant"
            self.init(FirestoreError.invalidArgument(reason))
        }
    }
}

/// Contents that become one: their arguments, and everything else of them together.
struct ExpressionParts {
    private(set) var arguments: [PipelineArgument] = []
    private(set) var faults = PipelineFaults()
    private(set) var depth = 0
    private(set) var database: DatabaseID?

    init(_ contents: [ExpressionContent]) {
        for content in contents {
            arguments.append(content.argument)
            add(content.faults, depth: content.depth, database: content.database)
        }
    }

    /// No arguments; `database` is that of the pipeline to which others are added.
    init(database: DatabaseID?) { self.database = database }

    /// Adds everything except the arguments.
    mutating func add(_ other: ExpressionParts) { add(other.faults, depth: other.depth, database: other.database) }

    /// Pipelines that are part of each other read one database.
    private mutating func add(_ faults: PipelineFaults, depth: Int, database: DatabaseID?) {
        self.faults.add(faults)
        self.depth = max(self.depth, depth)
        if let own = self.database, let database, own != database {
            let reason = "a pipeline must belong to the same database as the pipeline that it is part of"
            self.faults.add(PipelineFaults(.invalidArgument(reason)))
        }
        self.database = self.database ?? database
    }
}
