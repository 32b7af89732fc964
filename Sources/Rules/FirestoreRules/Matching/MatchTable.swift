// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The match statements of a ruleset, found by the segments of a path.
///
/// A tree: one level per segment up to the glob. A request walks it once, however many statements there are.
struct MatchTable: Sendable {
    private struct Branch: Sendable {
        /// Sorted by the bytes of their texts.
        var literals: [(text: [UInt8], branch: Int)] = []
        var single: Int?
        /// The patterns that end here.
        var ends: [Int] = []
        /// The patterns whose glob begins here.
        var globs: [Int] = []

        /// The branch of a literal that every pattern has here; nil if there is another way.
        func onlyLiteral(_ text: StaticString) -> Int? {
            guard single == nil, ends.isEmpty, globs.isEmpty, literals.count == 1 else { return nil }
            return literals[0].text.elementsEqual(text.description.utf8) ? literals[0].branch : nil
        }

        /// The branch of a wildcard that every pattern has here; nil if there is another way.
        var onlySingle: Int? { literals.isEmpty && ends.isEmpty && globs.isEmpty ? single : nil }
    }

    private(set) var patterns: [MatchPattern] = []
    private var branches = [Branch()]
    /// The branch behind `/databases/{database}/documents`, with which nearly every pattern begins; nil if some pattern does not.
    private var documents: Int?

    /// Patterns are numbered in the order in which they are added.
    mutating func add(_ pattern: MatchPattern) {
        let id = patterns.count
        patterns.append(pattern)
        var branch = 0
        for segment in pattern.segments {
            switch segment {
            case .literal(let text): branch = literal(text, at: branch)
            case .single: branch = single(at: branch)
            case .glob:
                branches[branch].globs.append(id)
                documents = documentsBranch
                return
            }
        }
        branches[branch].ends.append(id)
        documents = documentsBranch
    }

    private var documentsBranch: Int? {
        guard let databases = branches[0].onlyLiteral("databases"), let database = branches[databases].onlySingle else { return nil }
        return branches[database].onlyLiteral("documents")
    }

    private mutating func literal(_ text: String, at branch: Int) -> Int {
        let bytes = Array(text.utf8)
        let place = bytes.withUnsafeBytes { position(of: $0, in: branches[branch].literals) }
        if let known = place.branch { return known }
        branches.append(Branch())
        branches[branch].literals.insert((bytes, branches.count - 1), at: place.index)
        return branches.count - 1
    }

    /// Where a literal is, or where it would be inserted.
    private func position(
        of text: UnsafeRawBufferPointer, in literals: [(text: [UInt8], branch: Int)]
    ) -> (index: Int, branch: Int?) {
        var (low, high) = (0, literals.count)
        while low < high {
            let middle = (low + high) / 2
            let order = literals[middle].text.withUnsafeBytes { compareBytes($0, text) }
            if order == 0 { return (middle, literals[middle].branch) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, nil)
    }

    private mutating func single(at branch: Int) -> Int {
        if let known = branches[branch].single { return known }
        branches.append(Branch())
        branches[branch].single = branches.count - 1
        return branches.count - 1
    }

    // MARK: Documents

    /// The patterns that match a path, in the order of their numbers.
    func matches(_ path: RequestPath) -> MatchedPatterns {
        var found = MatchedPatterns()
        path.withSegments { segments in
            if let documents {
                walk(documents, segments.belowDocuments, into: &found)
            } else {
                walk(0, segments, into: &found)
            }
        }
        found.sort()
        return found
    }

    private func walk(_ index: Int, _ segments: PathSegments, into found: inout MatchedPatterns) {
        for id in branches[index].globs where matches(id, behindHead: segments) { found.append(id) }
        var rest = segments
        guard let segment = rest.next() else {
            for id in branches[index].ends { found.append(id) }
            return
        }
        if !branches[index].literals.isEmpty, let branch = position(of: segment, in: branches[index].literals).branch {
            walk(branch, rest, into: &found)
        }
        if let single = branches[index].single { walk(single, rest, into: &found) }
    }

    /// Whether a pattern whose glob comes next matches the segments that are left.
    private func matches(_ id: Int, behindHead segments: PathSegments) -> Bool {
        let pattern = patterns[id]
        let count = segments.count - pattern.tailCount
        guard count >= pattern.globMinimum else { return false }
        var rest = segments.dropFirst(count)
        return pattern.segments.suffix(pattern.tailCount).allSatisfy { part in
            guard let segment = rest.next() else { return false }
            guard case .literal(var text) = part else { return true }
            return text.withUTF8 { compareBytes(UnsafeRawBufferPointer($0), segment) == 0 }
        }
    }

    /// The value that a wildcard of a pattern is bound to on a path that it matches.
    func capture(_ index: Int, of id: Int, on path: RequestPath) -> Capture {
        let pattern = patterns[id]
        var position = 0
        var wildcard = 0
        for segment in pattern.segments {
            switch segment {
            case .literal: position += 1
            case .single:
                if wildcard == index { return .segment(position) }
                wildcard += 1
                position += 1
            case .glob:
                let end = path.count - pattern.tailCount
                if wildcard == index { return .segments(position..<end) }
                wildcard += 1
                position = end
            }
        }
        return .null
    }
}
