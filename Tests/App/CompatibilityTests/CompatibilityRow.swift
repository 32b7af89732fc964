// SPDX-License-Identifier: Apache-2.0
import ModeSupport

/// One entry of the compatibility table: a signature of the original, and the proof of the outcome here.
struct CompatibilityRow {
    /// `core`: what the data-mapping guide uses, or practically every app does. `full`: the rest of the classic API. `extra`: what the
    /// original does not have.
    enum Tag: String {
        case core, full, extra

        /// The signatures of the original.
        static let original: [Tag] = [.core, .full]
    }

    enum Status: Equatable {
        case works
        /// Behaves as documented for an embedded database: how.
        case differs(String)
        /// Not to be had here: why, and what happens instead.
        case absent(String)
        /// Not in the original: what to write there instead.
        case extra(String)
    }

    let tag: Tag
    /// As api.md writes them; overloads that differ in a type only belong together.
    let signatures: [String]
    let status: Status
    /// What the row needs that not every mode has.
    let only: ModeTable.Entry?
    /// Calls all of the signatures, with these labels and types, and says whether they do what they are there for.
    let holds: (CompatibilityFixture) async throws -> Bool
}

/// The rows of one type or topic: a section of api.md.
struct CompatibilitySection {
    /// As in api.md: "5.1".
    let number: String
    let title: String
    private(set) var rows: [CompatibilityRow] = []

    init(_ number: String, _ title: String) {
        self.number = number
        self.title = title
    }

    var chapter: Int { Int(number.prefix { $0 != "." }) ?? 0 }

    mutating func row(
        _ tag: CompatibilityRow.Tag, _ signatures: String..., differs: String? = nil, absent: String? = nil,
        instead: String? = nil, only: ModeTable.Entry? = nil, holds: @escaping (CompatibilityFixture) async throws -> Bool
    ) {
        let status: CompatibilityRow.Status =
            instead.map { .extra($0) } ?? absent.map { .absent($0) } ?? differs.map { .differs($0) } ?? .works
        rows.append(CompatibilityRow(tag: tag, signatures: signatures, status: status, only: only, holds: holds))
    }
}
