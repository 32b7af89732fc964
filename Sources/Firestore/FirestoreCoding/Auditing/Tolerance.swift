// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The handling by a tolerant type of a value that does not fit it (MP-60, MP-66).
package enum ToleranceKind: String, Sendable, CaseIterable {
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

    /// For reports.
    package var words: String {
        switch self {
        case .defaultUsed: "default used"
        case .elementLost: "element lost"
        case .entryLost: "entry lost"
        case .valueLost: "value lost"
        case .unknownCase: "unknown case"
        }
    }
}

/// Takes what tolerant types did.
package protocol ToleranceRecorder: AnyObject, Sendable {
    /// - Parameter documentPath: nil if something else than a document is decoded.
    func record(_ kind: ToleranceKind, path: String, documentPath: String?)

    /// An empty recorder for the documents of one call.
    func forCall() -> any ToleranceRecorder

    /// Takes what the recorder of one call has noted.
    func merge(_ call: any ToleranceRecorder)
}

/// Whether this thread is decoding with a recorder for the deviations of tolerant types.
///
/// Their code in keyed containers cannot access the decoder; this lets it find out quickly that there is no recorder.
package enum ToleranceActivity {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    package static var isActive: Bool { pthread_getspecific(key) != nil }

    static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, before) }
        return try body()
    }
}

extension CodingUserInfoKey {
    /// The key in `userInfo` of what takes the deviations that tolerant types allowed.
    package static let toleranceRecorder = CodingUserInfoKey(rawValue: "HearthToleranceRecorder")
}

extension DecodingState {
    var toleranceRecorder: (any ToleranceRecorder)? {
        if let audit { return audit.tolerance }
        guard hasOptions, let key = CodingUserInfoKey.toleranceRecorder else { return nil }
        return options.userInfo[key] as? any ToleranceRecorder
    }

    /// Whether anything takes what tolerant types do.
    @inline(__always) var tellsTolerance: Bool { (audit != nil || hasOptions) && toleranceRecorder != nil }

    func noteTolerance(_ kind: ToleranceKind, _ node: DecodingNode?, _ key: any CodingKey) {
        guard let recorder = toleranceRecorder else { return }
        recorder.record(kind, path: structuralPath(DecodingNode(node, key, .nothing)), documentPath: documentPath)
    }

    func structuralPath(_ node: DecodingNode?) -> String {
        if let audit { return audit.field(of: node).path }
        return ProbedKey.text(
            DecodingNode.path(node).map { type(of: $0) == IndexKey.self ? .elements : .name($0.stringValue) })
    }
}

extension ValueDecoder {
    /// Notes a deviation that a type allowed.
    package func tolerate(_ kind: ToleranceKind) {
        state.toleranceRecorder?.record(kind, path: structuralPath, documentPath: state.documentPath)
    }
}
