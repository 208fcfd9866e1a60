public import Foundation
import GRDB
import LockstepStore

/// How a sync treats copied rows.
public enum CoreDataRowState: Sendable {
    /// The server has them as they are: nothing is pending, and nothing is sent.
    case received
    /// The server has none of them: each is pending as a new record, and is sent with the next push.
    case unsent
    /// The app decides for each row, for example by a flag of its own.
    ///
    /// ```swift
    /// let state = CoreDataRowState.chosen { row in row.bool("isSynced") == true ? .received : .unsent }
    /// ```
    case chosen(@Sendable (CoreDataRow) -> Choice)

    /// How a sync treats one row.
    public enum Choice: Sendable, Hashable {
        /// The server has it as it is.
        case received
        /// The server does not have it.
        case unsent
    }
}

/// A row of a Core Data store. Do not use it after the closure that it is passed to returns.
public struct CoreDataRow {
    /// The name of the entity in the model.
    public let entity: String
    let row: RawRow
    let columns: [String]
    let properties: [String: Int]

    /// The index of the column of an attribute, also of one that the map does not name; `nil` if there is none.
    private func column(_ attribute: String) -> Int? {
        properties[attribute] ?? columns.firstIndex(of: "Z" + attribute.uppercased())
    }

    private func value(_ attribute: String) -> DatabaseValue { column(attribute).map(row.value) ?? .null }

    /// Whether an attribute has a value.
    public func hasValue(_ attribute: String) -> Bool { !value(attribute).isNull }

    /// The value of a Boolean attribute; `nil` if it has none, or there is no such attribute.
    public func bool(_ attribute: String) -> Bool? { integer(attribute).map { $0 != 0 } }

    /// The value of an integer attribute.
    public func integer(_ attribute: String) -> Int64? {
        if case .int64(let number) = value(attribute).storage { number } else { nil }
    }

    /// The value of a string or URI attribute.
    public func string(_ attribute: String) -> String? {
        if case .string(let text) = value(attribute).storage { text } else { nil }
    }

    /// The value of a float or double attribute.
    public func double(_ attribute: String) -> Double? { Double(storedValue: value(attribute)) }

    /// The value of a date attribute.
    public func date(_ attribute: String) -> Date? {
        double(attribute).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}
