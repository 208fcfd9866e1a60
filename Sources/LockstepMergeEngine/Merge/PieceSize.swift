/// The number of records in the next piece of a merge that commits several times, so that a piece takes as long as
/// wanted.
package struct PieceSize {
    /// The number of records.
    package private(set) var count = PieceSize.minimum
    private let wanted: Duration

    /// The size of the windows of a file. A piece has about a megabyte, and what is after it in a window is read again.
    package static let windowByteCount = 1024 * 1024

    /// A piece has at least this many records, because each has costs of its own, such as those of hooks.
    private static let minimum = 256
    /// The time of a record varies, so that a piece is made for a part of the wanted time.
    private static let share = 0.7

    package init(milliseconds: Int) { wanted = .milliseconds(max(1, milliseconds)) }

    /// Chooses the number of the next piece: at most twice as many as in the last one.
    ///
    /// - Parameter duration: How long the last one has taken.
    package mutating func adapt(to duration: Duration) {
        let ratio = Self.share * (wanted / max(duration, .nanoseconds(1)))
        count = max(Self.minimum, Int(Double(count) * min(ratio, 2)))
    }
}
