// SPDX-License-Identifier: Apache-2.0

/// A part of the server that consists of pages, below a separate path.
enum PageSite: String, CaseIterable {
    case console, guide

    /// nil if a path belongs to neither.
    init?(path: String) {
        guard let site = Self.allCases.first(where: { path == $0.bare || path.utf8.starts(with: $0.root.utf8) }) else { return nil }
        self = site
    }

    /// `/guide`, which leads to the root.
    var bare: String { "/\(rawValue)" }
    /// `/guide/`
    var root: String { "/\(rawValue)/" }

    /// Where a file of this site stands below `Console/`; nil for the console's name of a file of another site, so that each has one
    /// address.
    func file(_ path: Substring) -> String? {
        switch self {
        case .console: Self.allCases.contains { $0 != .console && path.hasPrefix("\($0.rawValue)/") } ? nil : String(path)
        case .guide: "\(rawValue)/\(path)"
        }
    }
}
