// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Where the checked files of this process were last found damaged, so that errors can say it: SQLite's error only has a number.
final class DamagedPages: Sendable {
    static let shared = DamagedPages()

    struct Place: Equatable {
        /// Whether it is in the write-ahead log.
        let isLog: Bool
        let offset: Int64
        let size: Int
    }

    /// Files that were damaged while a process runs are few. Beyond this many the oldest messages have no place.
    private static let most = 64

    private let places = Mutex<[(file: String, place: Place)]>([])

    /// `file`: the database file, without the suffix of its log.
    func note(_ place: Place, in file: String) {
        places.withLock { places in
            places.removeAll { $0.file.utf8.elementsEqual(file.utf8) }
            if places.count >= Self.most { places.removeFirst() }
            places.append((file, place))
        }
    }

    func last(in file: String) -> Place? {
        places.withLock { places in places.last { $0.file.utf8.elementsEqual(file.utf8) }?.place }
    }
}
