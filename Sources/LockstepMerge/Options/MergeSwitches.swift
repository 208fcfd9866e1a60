/// The operations that a merge may perform on records (Rules.md, M9).
///
/// ```swift
/// options.records = [.insert, .update]     // nothing is deleted
/// options.nested = .all
/// ```
public struct MergeSwitches: OptionSet, Sendable, Hashable {
    /// One bit for each switch.
    public let rawValue: UInt8

    /// Creates switches from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Records that are not in the store are inserted.
    public static let insert = MergeSwitches(rawValue: 1)
    /// Records that are in the store are updated from the payload.
    public static let update = MergeSwitches(rawValue: 2)
    /// Records that the payload no longer lists are deleted.
    public static let delete = MergeSwitches(rawValue: 4)

    /// All operations.
    public static let all: MergeSwitches = [.insert, .update, .delete]
}

extension MergeSwitches: CustomStringConvertible {
    /// The names of the switches: `insert, update`.
    public var description: String {
        let names = [(MergeSwitches.insert, "insert"), (.update, "update"), (.delete, "delete")]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
