// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer

/// Prints changes as they arrive.
final class ChangePrinter: Sendable {
    private let place: OpenPlace
    private let format: OutputFormat
    private let style: Style
    private let output = StandardOutput()
    /// The number of changes until the end; nil for no limit.
    private let remaining: Mutex<Int?>

    init(place: OpenPlace, options: OutputOptions, remaining: Int?) {
        let terminal = Terminal(color: options.color, environment: CommandEnvironment.current)
        self.place = place
        format = options.format(on: terminal)
        style = Style(isColored: terminal.takesColors)
        self.remaining = Mutex(remaining)
    }

    /// Prints the changes; returns false when the last change was printed. `missing`: a document, which is
    /// reported if it does not exist.
    func print(_ snapshot: ViewSnapshot, missing: DocumentKey?) throws -> Bool {
        let goesOn = try remaining.withLock { remaining throws in
            if let missing, snapshot.documents.isEmpty { return try take(.missing(missing), snapshot.readTime, &remaining) }
            for change in snapshot.changes {
                guard try take(.change(change), snapshot.readTime, &remaining) else { return false }
            }
            return true
        }
        try output.flush()
        return goesOn
    }

    private enum Event {
        case change(ViewChange)
        case missing(DocumentKey)

        var name: String {
            switch self {
            case .missing: "missing"
            case .change(let change):
                switch change.kind {
                case .added: "added"
                case .modified, .metadata: "modified"
                case .removed: "removed"
                }
            }
        }

        var key: DocumentKey {
            switch self {
            case .missing(let key): key
            case .change(let change): change.document.key
            }
        }

        /// The new state; nil if the document no longer exists.
        var document: Document? {
            if case .change(let change) = self, change.kind != .removed { change.document } else { nil }
        }
    }

    private func take(_ event: Event, _ time: DocumentVersion, _ remaining: inout Int?) throws -> Bool {
        try output.write(format == .pretty ? try pretty(event, time) : try json(event, time))
        guard let left = remaining else { return true }
        remaining = left - 1
        return left > 1
    }

    private func pretty(_ event: Event, _ time: DocumentVersion) throws(FirestoreError) -> String {
        let (sign, role): (String, Style.Role) =
            switch event.name {
            case "added": ("+", .added)
            case "modified": ("~", .changed)
            default: ("-", .removed)
            }
        var heading = style(role, sign) + " "
        guard let document = event.document else {
            heading += style(.path, event.key.path) + " " + style(.faint, "\(event.name) \(time.timestamp.text)")
            return heading + "\n"
        }
        var pretty = PrettyText(database: place.database, style: style)
        try pretty.add(document, withTimes: false)
        let updated = style(.faint, "updated \(document.updateTime.timestamp.text)")
        guard let end = pretty.text.utf8.firstIndex(of: UInt8(ascii: "\n")) else { return heading }
        return heading + pretty.text[..<end] + " " + updated + pretty.text[end...]
    }

    private func json(_ event: Event, _ time: DocumentVersion) throws(FirestoreError) -> String {
        var writer = TypedJSONWriter(database: place.database, layout: format == .json ? .indented : .compact)
        writer.append(raw: "{")
        writer.breakLine(level: 1)
        writer.append(name: "change")
        writer.append(string: event.name)
        writer.append(member: "path", string: event.key.path)
        if let document = event.document {
            writer.separate(level: 1)
            try writer.appendFields(of: document)
            writer.appendTimes(of: document)
        }
        writer.append(member: "readTime", string: time.timestamp.text)
        writer.endDocument()
        return writer.text + "\n"
    }
}
