// SPDX-License-Identifier: Apache-2.0

/// Makes a program of a ruleset's syntax: resolves names, checks the limits, and reports errors.
struct RulesCompiler {
    var rules: CompiledRules
    var issues: [RulesIssue] = []
    /// Functions in the order of their declarations, each with the scope that it is declared in.
    var declared: [(syntax: FunctionSyntax, scope: Scope)] = []
    /// The functions that each function calls.
    var calls: [Set<Int>] = []
    var usedFunctions: Set<Int> = []
    /// The function whose body is compiled; nil in an allow statement.
    var currentFunction: Int?
    var locals = Locals()
    /// The indexes of the program's strings.
    var strings: [String: Int32] = [:]
    /// The scopes of the allow statements that are not compiled yet.
    private var pendingAllows: [(allow: AllowSyntax, scope: Scope, pattern: Int, path: String)] = []

    private init(version: Int) { rules = CompiledRules(version: version) }

    static func compile(_ syntax: RulesetSyntax) -> (rules: CompiledRules, issues: [RulesIssue]) {
        let version = syntax.version ?? 1
        var compiler = RulesCompiler(version: version)
        if version == 1 {
            compiler.issues.append(
                .warning(
                    "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).", at: nil))
        }
        compiler.compile(syntax)
        return (compiler.rules, compiler.issues)
    }

    private mutating func compile(_ syntax: RulesetSyntax) {
        let top = Scope(parent: nil)
        declare(syntax.functions, in: top)
        var services: Set<String> = []
        for service in syntax.services {
            if !services.insert(service.name.text).inserted {
                error("Duplicate service name declaration: \(service.name.text).", at: service.name.range)
            }
            // Services of other products are checked and never match (SR-3).
            let isOurs = service.name.text == "cloud.firestore"
            let scope = Scope(parent: top)
            declare(service.functions, in: scope)
            for match in service.matches { compile(match, in: scope, prefix: [], isOurs: isOurs) }
        }
        rules.program.functions.reserveCapacity(declared.count)
        for index in declared.indices { compileFunction(index) }
        for (allow, scope, pattern, path) in pendingAllows { compile(allow, scope, pattern, path) }
        checkCalls()
        for (index, function) in declared.enumerated() where !usedFunctions.contains(index) {
            warn("Unused function: \(function.syntax.name.text).", at: function.syntax.name.range)
        }
    }

    mutating func error(_ message: String, at range: SourceRange) { issues.append(.error(message, at: range)) }
    mutating func warn(_ message: String, at range: SourceRange) { issues.append(.warning(message, at: range)) }

    // MARK: Matches

    private mutating func compile(_ match: MatchSyntax, in parent: Scope, prefix: [MatchSegment], isOurs: Bool) {
        let scope = Scope(parent: parent)
        let path = prefix + match.path
        bindWildcards(match, in: scope)
        checkPath(match, path)
        declare(match.functions, in: scope)
        let allows = match.statements.compactMap { statement in
            if case .allow(let allow) = statement { allow } else { nil }
        }
        // The statements of a match are consulted before those of the matches in it.
        if !allows.isEmpty {
            if isOurs { rules.table.add(pattern(path)) }
            let id = isOurs ? rules.table.patterns.count - 1 : -1
            if isOurs { rules.statements.append([]) }
            let text = Self.text(path)
            pendingAllows += allows.map { ($0, scope, id, text) }
        }
        for case .match(let inner) in match.statements { compile(inner, in: scope, prefix: path, isOurs: isOurs) }
    }

    private mutating func bindWildcards(_ match: MatchSyntax, in scope: Scope) {
        scope.addSegments(match.path.count)
        for segment in match.path {
            guard let name = segment.name else { continue }
            let isGlob = if case .glob = segment { true } else { false }
            checkNamespace(name)
            if !scope.bind(wildcard: name.text, isGlob: isGlob) {
                error("Variable \(name.text) is already bound in the current scope.", at: name.range)
            }
        }
        if scope.segmentCount > RulesLimits.pathSegments {
            error("Maximum allowed path length of \(RulesLimits.pathSegments) is reached.", at: match.range)
        }
        if scope.wildcardCount > RulesLimits.wildcards {
            error("Maximum allowed amount of \(RulesLimits.wildcards) match field variables is reached.", at: match.range)
        }
    }

    /// Where globs may stand (SR-18).
    private mutating func checkPath(_ match: MatchSyntax, _ path: [MatchSegment]) {
        let globs = path.indices.filter { index in
            if case .glob = path[index] { true } else { false }
        }
        if rules.version == 1, globs.contains(where: { $0 < path.count - 1 }) {
            error(
                "Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path; "
                    + "rules_version = '2' permits them anywhere.", at: match.pathRange)
        } else if globs.count > 1 {
            error(
                "Invalid glob match expression. Only one glob match is permitted in a path, those around it included.",
                at: match.pathRange)
        }
    }

    private func pattern(_ path: [MatchSegment]) -> MatchPattern {
        MatchPattern(
            path.map { segment in
                switch segment {
                case .literal(let text): .literal(text)
                case .single: .single
                case .glob: .glob
                }
            }, globMinimum: rules.version == 1 ? 1 : 0)
    }

    private static func text(_ path: [MatchSegment]) -> String {
        path.map { segment in
            switch segment {
            case .literal(let text): "/\(text)"
            case .single(let name): "/{\(name.text)}"
            case .glob(let name): "/{\(name.text)=**}"
            }
        }.joined()
    }

    private mutating func compile(_ allow: AllowSyntax, _ scope: Scope, _ pattern: Int, _ path: String) {
        var methods: MethodSet = []
        for name in allow.methods {
            if let method = MethodSet(name: name.text) {
                methods.formUnion(method)
            } else {
                warn("Invalid method name: \(name.text).", at: name.range)
            }
        }
        currentFunction = nil
        locals = Locals()
        let condition = allow.condition.map { compile($0, in: scope) }
        guard pattern >= 0 else { return }
        rules.statements[pattern].append(
            AllowStatement(methods: methods, condition: condition, range: allow.condition?.range ?? allow.range, matchPath: path))
    }

    // MARK: Functions

    private mutating func declare(_ functions: [FunctionSyntax], in scope: Scope) {
        for function in functions {
            if !scope.declare(function: function.name.text, declared.count) {
                error("Function \(function.name.text) is already bound in the current scope.", at: function.name.range)
            }
            declared.append((function, scope))
            calls.append([])
        }
    }

    private mutating func compileFunction(_ index: Int) {
        let (function, scope) = declared[index]
        currentFunction = index
        locals = Locals()
        let name = function.name
        if function.parameters.count > RulesLimits.parameters {
            error(
                "Maximum allowed function arguments of \(RulesLimits.parameters) for function \(name.text) is reached.", at: name.range)
        }
        if function.variables.count > RulesLimits.variables {
            error("Maximum allowed variable count of 10 for a given function has been reached.", at: name.range)
        }
        for parameter in function.parameters.prefix(RulesLimits.parameters) { declareLocal(parameter) }
        if rules.version == 1 {
            for variable in function.variables {
                error(
                    "'let' is not allowed in version 1 of the rules language. Begin the ruleset with rules_version = '2';",
                    at: variable.name.range)
            }
        }
        var variables: [NodeID] = []
        for (name, value) in function.variables.prefix(RulesLimits.variables) {
            // A variable does not see itself, nor those that follow.
            variables.append(compile(value, in: scope))
            declareLocal(name)
        }
        let result = compile(function.result, in: scope)
        for (name, isUsed) in zip(locals.names, locals.isUsed) where !isUsed { warn("Unused variable: \(name.text).", at: name.range) }
        rules.program.functions.append(
            CompiledFunction(name: name, parameters: function.parameters.map(\.text), variables: variables, result: result))
    }

    private mutating func declareLocal(_ name: Name) {
        checkNamespace(name)
        if !locals.declare(name) { error("Variable \(name.text) is already bound in the current scope.", at: name.range) }
    }

    mutating func checkNamespace(_ name: Name) {
        guard Signature.namespaces.contains(name.text) else { return }
        error("\(name.text) is a package and cannot be used as variable name.", at: name.range)
    }

    // MARK: Calls (SR-28)

    private mutating func checkCalls() {
        var depths: [Int: Int] = [:]
        var isCyclic = false
        var path: [Int] = []
        func visit(_ index: Int, _ issues: inout [RulesIssue]) -> Int {
            if let known = depths[index] { return known }
            if let start = path.firstIndex(of: index) {
                let cycle = path[start...]
                let names = cycle.map { declared[$0].syntax.name.text }.joined(separator: ",")
                let range = declared[index].syntax.name.range
                if !isCyclic {
                    issues.append(
                        .error(
                            cycle.count == 1
                                ? "Recursive call is not allowed."
                                : "Detected a call cycle between [\(names)] functions.",
                            at: range))
                }
                isCyclic = true
                return 0
            }
            path.append(index)
            defer { path.removeLast() }
            // A chain that is too long need not be followed to its end.
            guard path.count <= 4 * RulesLimits.callDepth else { return 4 * RulesLimits.callDepth }
            let depth = 1 + (calls[index].sorted().map { visit($0, &issues) }.max() ?? 0)
            depths[index] = depth
            return depth
        }
        for index in declared.indices {
            let depth = visit(index, &issues)
            guard depth == RulesLimits.callDepth + 2 else { continue }
            error(
                "Maximum allowed call depth of \(RulesLimits.callDepth) is reached for [\(longestChain(from: index, depths))] call stack.",
                at: declared[index].syntax.name.range)
        }
    }

    private func longestChain(from start: Int, _ depths: [Int: Int]) -> String {
        var chain = [start]
        while let last = chain.last, let next = calls[last].max(by: { depths[$0, default: 0] < depths[$1, default: 0] }),
            chain.count <= RulesLimits.callDepth + 2
        {
            chain.append(next)
        }
        return chain.map { declared[$0].syntax.name.text }.joined(separator: "->")
    }
}
