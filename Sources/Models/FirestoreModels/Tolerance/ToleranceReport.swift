// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
package import FirestoreCoding
import FirestoreCore

/// Records the deviations that tolerant properties allowed while documents were decoded: defaults that were used, values that were
/// omitted, cases that were not known.
///
/// ```swift
/// let decoder = Firestore.Decoder()
/// decoder.tolerance = ToleranceReport()
/// let books = try await db.collection("books").getDocuments().documents(as: Book.self, decoder: decoder)
/// for entry in books.tolerated { log(entry.path, entry.kind, entry.count, entry.documents) }
/// ```
/// A report collects until it is released, in bounded memory, from any number of threads. A decoder without a report collects nothing
/// and has no overhead.
///
/// Beyond the Apple SDK.
public final class ToleranceReport: Sendable {
    /// The kind of deviation.
    public enum Kind: String, Sendable, CaseIterable {
        /// A missing or null field became its default.
        case defaultUsed
        /// An element of an array or a set was left out.
        case elementLost
        /// An entry of a dictionary was left out.
        case entryLost
        /// A value that did not decode became nil.
        case valueLost
        /// A raw value that is not a case became the unknown case.
        case unknownCase
    }

    /// One kind of deviation in one field.
    public struct Entry: Sendable, Hashable {
        /// The field, with `[]` for elements of arrays.
        public let path: String
        /// The kind of deviation.
        public let kind: Kind
        /// How often.
        public let count: Int
        /// The smallest paths of the documents in which it occurred, as many as the report stores.
        public let documents: [String]
    }

    private struct Key: Hashable {
        let path: String
        let kind: ToleranceKind
    }

    private struct Counted {
        var count = 0
        var tally = DocumentTally()
        var latest: String?
        var number = 0

        mutating func add(_ document: String?, limit: Int) {
            count += 1
            if let document { note(document, limit: limit) }
        }

        mutating func note(_ document: String, limit: Int) {
            guard latest.map({ equalUTF8($0, document) }) != true else { return }
            guard !tally.examples.contains(where: { equalUTF8($0, document) }) else { return }
            latest = document
            number += 1
            tally.add(number, id: document, limit: limit)
        }
    }

    private let counted = Mutex<[Key: Counted]>([:])
    private let exampleLimit: Int

    /// How many fields a report distinguishes.
    private static let limit = 10_000

    /// Creates an empty report.
    ///
    /// - Parameter exampleCount: How many documents it names per entry.
    public init(exampleCount: Int = 3) { exampleLimit = max(0, exampleCount) }

    /// The deviations, by path and kind.
    public var entries: [Entry] {
        counted.withLock { counted in
            counted.sorted { left, right in
                let order = compareUTF8(left.key.path, right.key.path)
                return order == 0 ? compareUTF8(left.key.kind.rawValue, right.key.kind.rawValue) < 0 : order < 0
            }.map { key, value in
                Entry(path: key.path, kind: Kind(key.kind), count: value.count, documents: value.tally.examples)
            }
        }
    }

    /// Whether nothing happened.
    public var isEmpty: Bool { counted.withLock { $0.isEmpty } }

    /// The deviations with the number of documents, for audits, which decode one document after the other.
    var tallies: [(path: String, kind: ToleranceKind, tally: DocumentTally)] {
        counted.withLock { $0.map { ($0.key.path, $0.key.kind, $0.value.tally) } }
    }
}

extension ToleranceReport: ToleranceRecorder {
    package func record(_ kind: ToleranceKind, path: String, documentPath: String?) {
        let key = Key(path: path, kind: kind)
        counted.withLock { counted in
            guard counted[key] != nil || counted.count < Self.limit else { return }
            counted[key, default: Counted()].add(documentPath, limit: exampleLimit)
        }
    }

    package func forCall() -> any ToleranceRecorder { ToleranceReport(exampleCount: exampleLimit) }

    package func merge(_ call: any ToleranceRecorder) {
        guard let call = call as? ToleranceReport else { return }
        let other = call.counted.withLock { $0 }
        counted.withLock { counted in
            for (key, value) in other where counted[key] != nil || counted.count < Self.limit {
                counted[key, default: Counted()].count += value.count
                for document in value.tally.examples { counted[key]?.note(document, limit: exampleLimit) }
            }
        }
    }
}

extension ToleranceReport.Kind {
    init(_ kind: ToleranceKind) {
        self =
            switch kind {
            case .defaultUsed: .defaultUsed
            case .elementLost: .elementLost
            case .entryLost: .entryLost
            case .valueLost: .valueLost
            case .unknownCase: .unknownCase
            }
    }
}

extension Firestore.Decoder {
    /// Collects what tolerant properties do while this decoder decodes; nil, the default, collects nothing.
    ///
    /// Beyond the Apple SDK.
    public var tolerance: ToleranceReport? {
        get { toleranceRecorder as? ToleranceReport }
        set { toleranceRecorder = newValue }
    }
}

extension DecodedDocuments {
    /// The deviations that tolerant properties allowed in these documents, if the decoder had a ``ToleranceReport``; otherwise empty.
    ///
    /// Beyond the Apple SDK.
    public var tolerated: [ToleranceReport.Entry] { (recorder as? ToleranceReport)?.entries ?? [] }
}
