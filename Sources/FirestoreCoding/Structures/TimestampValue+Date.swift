import FirestoreCore

extension TimestampValue {
    /// A point in time with nanoseconds; nil outside the years 1 to 9999 (R29).
    init?(intervalSince1970 interval: Double) {
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds), Self.validSeconds.contains(whole) else { return nil }
        self.init(seconds: whole, nanoseconds: Int32(min((interval - seconds) * 1e9, 999_999_999)))
    }
}
