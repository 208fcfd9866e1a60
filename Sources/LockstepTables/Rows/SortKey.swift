import Foundation
import GRDB

/// A stored value to sort by, in SQLite's order: NULL, numbers, text by its bytes, blobs.
package struct SortKey {
    private let value: DatabaseValue

    package init(_ value: DatabaseValue) { self.value = value }

    /// Negative, zero or positive if this value sorts before, with or after the other.
    func compare(_ other: SortKey, isNumericText: Bool) -> Int {
        switch (value.storage, other.value.storage) {
        case (.null, .null): return 0
        case (.int64(let left), .int64(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.double(let left), .double(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.int64(let left), .double(let right)): return Self.order(Double(left), right)
        case (.double(let left), .int64(let right)): return Self.order(left, Double(right))
        case (.string(let left), .string(let right)):
            if isNumericText, let left = Decimal(exactly: left), let right = Decimal(exactly: right) {
                return Self.order(left, right)
            }
            return Self.order(left, right)
        case (.blob(let left), .blob(let right)):
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        default: return rank - other.rank
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }

    private static func order(_ left: String, _ right: String) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    private var rank: Int {
        switch value.storage {
        case .null: 0
        case .int64, .double: 1
        case .string: 2
        case .blob: 3
        }
    }
}

extension SortKey {
    /// A column by which records are sorted.
    package struct Column {
        package let column: Int
        let isDescending: Bool
        let isNumericText: Bool
    }

    /// The columns of a sort order: those of the attributes, and the key for records whose attributes are equal.
    package static func order(of plan: EntityPlan, by sorts: [SortDescription]) -> [Column] {
        let attributes = sorts.compactMap { sort in
            plan.column(ofAttribute: sort.attribute).map { (column: $0, isDescending: sort.isDescending) }
        }
        return (attributes + plan.keyColumns.map { ($0, false) }).map { column, isDescending in
            Column(
                column: column, isDescending: isDescending, isNumericText: plan.columns[column].type.isNumericText)
        }
    }

    /// Whether one record comes before another, by their values in these columns.
    package static func isBefore(_ left: [SortKey], _ right: [SortKey], order: [Column]) -> Bool {
        for (index, column) in order.enumerated() {
            let comparison = left[index].compare(right[index], isNumericText: column.isNumericText)
            if comparison != 0 { return column.isDescending ? comparison > 0 : comparison < 0 }
        }
        return false
    }
}

extension StoredType {
    /// Decimals are stored as text, and are sorted as numbers.
    fileprivate var isNumericText: Bool {
        switch self {
        case .decimal: true
        case .custom(let custom): custom.stored.isNumericText
        default: false
        }
    }
}
