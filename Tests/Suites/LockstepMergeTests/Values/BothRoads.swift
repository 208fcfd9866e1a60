import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import Testing

@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepMergeEngine

/// One value of JSON, read on the typed path and on the bulk path.
struct BothRoads<Value: AttributeValue> {
    let type: StoredType
    var format: DateFormat = .iso8601
    var limits = AttributeLimits()

    /// The value as the store would keep it; `nil` if it is rejected.
    func read(_ json: String) throws -> (typed: DatabaseValue?, bulk: DatabaseValue?) {
        (typed(json), try bulk(json).value)
    }

    /// With `JSONDecoder` and the attribute's Swift type.
    func typed(_ json: String) -> DatabaseValue? {
        let decoder = JSONDecoder()
        decoder.userInfo[.format] = format
        guard let value = try? decoder.decode(Holder<Value>.self, from: Data("{\"value\":\(json)}".utf8)).value,
            value.violation(of: Limits(limits)) == nil
        else { return nil }
        return value.storedValue
    }

    /// From the bytes, with the attribute's description. Checks that the scanner is left after the value.
    func bulk(_ json: String) throws -> (value: DatabaseValue?, reason: String?) {
        try withBulkCell(json) { cell, reason in (cell.kind == .absent ? nil : cell.databaseValue, reason) }
    }

    func withBulkCell<T>(_ json: String, _ body: (Cell, String?) throws -> T) throws -> T {
        let column = ColumnDescription(
            "value", content: .attribute("value"), type: type,
            wire: WireDescription(path: ["value"], format: .date(format)), limits: Limits(limits))
        var bytes = Array("\(json) ,".utf8)
        return try bytes.withUnsafeMutableBufferPointer { buffer in
            var scanner = JSONScanner(UnsafeBufferPointer(buffer))
            let arena = TextArena()
            var problem: ValueProblem?
            let cell = try ColumnReader(column).read(&scanner, in: arena, problem: &problem)
            #expect((cell.kind == .absent) == (problem != nil), "\(json)")
            #expect(scanner.peek() == UInt8(ascii: ","), "the scanner is not behind \(json)")
            return try withExtendedLifetime(arena) { try body(cell, problem?.reason) }
        }
    }

    /// Both paths keep `expected`, or reject the value if it is `nil`.
    func expect(
        _ json: String, _ expected: (any DatabaseValueConvertible)?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = expected?.databaseValue
        let (typed, bulk) = try read(json)
        #expect(typed == expected, "typed road, \(json)", sourceLocation: sourceLocation)
        #expect(bulk == expected, "bulk road, \(json)", sourceLocation: sourceLocation)
    }
}

private struct Holder<Value: AttributeValue>: Decodable {
    let value: Value

    private enum Key: CodingKey { case value }

    init(from decoder: any Decoder) throws {
        let source = try decoder.container(keyedBy: Key.self).superDecoder(forKey: .value)
        value = try Value(wire: WireSource(source, format: decoder.userInfo[.format] as? DateFormat ?? .iso8601))
    }
}

extension CodingUserInfoKey {
    fileprivate static let format = CodingUserInfoKey(rawValue: "format").unsafelyUnwrapped
}
