// SPDX-License-Identifier: Apache-2.0

/// Puts the pages of a listing together, and checks that they are what was asked for.
struct S3ListingPages {
    private static let pageSize = 1_000
    /// Pages without objects, one after another.
    private static let maximumEmptyPages = 100

    /// The prefix of the archive, which is not part of the names of its objects.
    private let prefix: String
    private let narrowed: String
    private let after: String?
    private let limit: Int
    private(set) var objects: [ArchiveObject] = []
    private var lastKey: String?
    private var continuation: String?
    private var isComplete = false
    private var emptyPages = 0

    /// - Parameter narrowed: What the names must begin with.
    init(prefix: String, narrowed: String, after: String?, limit: Int) {
        self.prefix = prefix
        self.narrowed = narrowed
        self.after = after
        self.limit = limit
    }

    /// The query for the next page; nil if the listing is complete.
    var nextQuery: [(name: String, value: String)]? {
        guard !isComplete, objects.count < limit else { return nil }
        var query = [("list-type", "2"), ("max-keys", "\(min(limit - objects.count, Self.pageSize))"), ("prefix", prefix + narrowed)]
        if let continuation {
            query.append(("continuation-token", continuation))
        } else if let after {
            query.append(("start-after", prefix + after))
        }
        return query
    }

    /// Takes a page, and returns what is wrong with it.
    mutating func add(_ page: S3Listing) -> String? {
        for object in page.objects {
            guard object.name.utf8.starts(with: (prefix + narrowed).utf8) else { return "has names that were not asked for" }
            guard lastKey.map({ ArchiveName.precedes($0, object.name) }) ?? true else { return "is not in the order of names" }
            lastKey = object.name
            let name = String(decoding: object.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            if let after, !ArchiveName.precedes(after, name) { return "begins before the name that was asked for" }
            // What consoles create for folders, and what others have put there, is not of the archive.
            if objects.count < limit, ArchiveName.isValid(name) { objects.append(ArchiveObject(name: name, size: object.size)) }
        }
        emptyPages = page.objects.isEmpty ? emptyPages + 1 : 0
        if emptyPages > Self.maximumEmptyPages { return "does not end" }
        isComplete = page.continuation == nil
        continuation = page.continuation
        return nil
    }
}
