// SPDX-License-Identifier: Apache-2.0

/// The names that are visible in a place (SR-24, SR-25).
final class Scope {
    let parent: Scope?
    /// Functions declared here, by name.
    private(set) var functions: [String: Int] = [:]
    /// Wildcards bound here, by name: their positions among all wildcards of the path.
    private(set) var wildcards: [String: Wildcard] = [:]
    /// The number of wildcards here and around.
    private(set) var wildcardCount: Int
    /// The number of segments here and around.
    private(set) var segmentCount: Int
    /// Whether it is the outermost scope, outside of every service.
    var isTop: Bool { parent == nil }

    struct Wildcard {
        let position: Int
        let isGlob: Bool
    }

    init(parent: Scope?) {
        self.parent = parent
        wildcardCount = parent?.wildcardCount ?? 0
        segmentCount = parent?.segmentCount ?? 0
    }

    /// False if the name is taken in this scope.
    func declare(function name: String, _ index: Int) -> Bool {
        guard functions[name] == nil else { return false }
        functions[name] = index
        return true
    }

    /// False if the name is taken in this scope.
    func bind(wildcard name: String, isGlob: Bool) -> Bool {
        defer { wildcardCount += 1 }
        guard wildcards[name] == nil else { return false }
        wildcards[name] = Wildcard(position: wildcardCount, isGlob: isGlob)
        return true
    }

    func addSegments(_ count: Int) { segmentCount += count }

    func function(_ name: String) -> Int? { functions[name] ?? parent?.function(name) }
    func wildcard(_ name: String) -> Wildcard? { wildcards[name] ?? parent?.wildcard(name) }
}

/// The parameters and variables of the function whose body is compiled.
struct Locals {
    private(set) var names: [Name] = []
    private(set) var isUsed: [Bool] = []

    /// False if the name is taken.
    mutating func declare(_ name: Name) -> Bool {
        defer {
            names.append(name)
            isUsed.append(false)
        }
        return !names.contains { $0.text == name.text }
    }

    mutating func position(of name: String) -> Int? {
        guard let position = names.lastIndex(where: { $0.text == name }) else { return nil }
        isUsed[position] = true
        return position
    }
}
