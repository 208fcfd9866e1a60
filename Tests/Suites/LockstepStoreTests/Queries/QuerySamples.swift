import Foundation
import KitchenSink
import LockstepStore
import RuntimeTestSupport
import SampleTypes
import Testing
import TestSupport

/// Many records of every type, and the expected results of queries, computed by hand.
enum QuerySamples {
    /// Inserts records of every type, with more edge cases than random values.
    static func insertThings(
        _ count: Int, from first: Int = 0, _ random: inout SeededRandom, _ context: ManagedObjectContext
    ) {
        for number in first..<(first + count) {
            var value = EverythingRepresentation.random(&random)
            value.id = number
            value.slug = Slug(stored: "slug \(number)")
            value.sku = nil
            _ = Everything(representation: value, context: context)
        }
    }

    /// SQLite's order of two column values; digits as numbers if `isNumber`.
    static func isLess(_ left: DatabaseValue, _ right: DatabaseValue, isNumber: Bool) -> Bool {
        switch (left.storage, right.storage) {
        case (_, .null): false
        case (.null, _): true
        case (.int64(let left), .int64(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
        case (.string(let left), .string(let right)):
            if isNumber, let left = Decimal(string: left), let right = Decimal(string: right) {
                left < right
            } else {
                left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        default: false
        }
    }
}

/// The store error thrown by `body`; fails the test if it throws none.
func thrownStoreError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> StoreError? {
    do {
        try body()
        Issue.record("No error was thrown.", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record("\(error) is no StoreError.", sourceLocation: sourceLocation)
    }
    return nil
}
