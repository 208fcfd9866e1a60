/// The operations that a merge may perform on records (Rules.md, M9).
///
/// ```swift
/// options.records = [.insert, .update]     // nothing is deleted
/// options.nested = .all
/// ```
public struct MergeOperations: OptionSet, Sendable, Hashable {
    /// One bit for each operation.
    @_spi(Requirements) public let rawValue: UInt8

    /// Creates a set of operations from their bits.
    @_spi(Requirements) public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Records that are not in the store are inserted.
    public static let insert = MergeOperations(rawValue: 1)
    /// Records that are in the store are updated from the payload.
    public static let update = MergeOperations(rawValue: 2)
    /// Records that the payload no longer lists are deleted.
    public static let delete = MergeOperations(rawValue: 4)

    /// All operations.
    public static let all: MergeOperations = [.insert, .update, .delete]
}

extension MergeOperations: CustomStringConvertible {
    /// The names of the operations: `insert, update`.
    @_spi(Requirements) public var description: String {
        let names = [(MergeOperations.insert, "insert"), (.update, "update"), (.delete, "delete")]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// The former name of ``MergeOperations``.
@available(*, deprecated, renamed: "MergeOperations")
public typealias MergeSwitches = MergeOperations
