import Foundation
import GRDB
import GRDBSQLite
import LockstepEvolution
import LockstepStore
import SampleTypes
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("M6 Equal values are not written")
struct StoredCellTests {
    private func isEqual(_ stored: String, _ cell: Cell, _ type: StoredType) throws -> Bool {
        try DatabaseQueue().read { database in
            let statement = try database.makeStatement(sql: "SELECT \(stored)")
            #expect(sqlite3_step(statement.sqliteStatement) == SQLITE_ROW)
            defer { sqlite3_reset(statement.sqliteStatement) }
            return cell.isEqual(to: statement.sqliteStatement, column: 0, type: type)
        }
    }

    private func isEqual(_ stored: String, _ value: some DatabaseValueConvertible, _ type: StoredType) throws -> Bool {
        let arena = TextArena()
        return try withExtendedLifetime(arena) {
            try isEqual(stored, Cell(value.databaseValue, arena: arena), type)
        }
    }

    @Test("M6 The same value, in the same notation")
    func same() throws {
        #expect(try isEqual("7", 7, .int))
        #expect(try !isEqual("7", 8, .int))
        #expect(try isEqual("1.5", 1.5, .double))
        #expect(try !isEqual("1.5", 1.25, .double))
        #expect(try isEqual("'é'", "é", .string))
        #expect(try !isEqual("'é'", "e\u{301}", .string))
        #expect(try !isEqual("'abc'", "abd", .string))
        #expect(try isEqual("''", "", .string))
        #expect(try isEqual("x'0102'", Data([1, 2]), .data))
        #expect(try !isEqual("x'0102'", Data([1, 3]), .data))
        #expect(try isEqual("x''", Data(), .data))
        #expect(try isEqual("CAST(x'610062' AS TEXT)", "a\0b", .string))
    }

    @Test("M6 Null equals only null, and values missing from the payload are not changed")
    func nothing() throws {
        #expect(try isEqual("NULL", .null, .string))
        #expect(try !isEqual("''", .null, .string))
        #expect(try !isEqual("NULL", "", .string))
        #expect(try !isEqual("NULL", 0, .int))
        #expect(try !isEqual("NULL", "1", .decimal))
        #expect(try isEqual("7", .absent, .int))
    }

    @Test("M6 A value that another program wrote in another notation is the same value")
    func otherSpellings() throws {
        #expect(try isEqual("'1.0'", "1", .decimal))
        #expect(try isEqual("1", "1", .decimal))
        #expect(try isEqual("1.5", "1.5", .decimal))
        #expect(try !isEqual("'1.01'", "1", .decimal))
        #expect(try isEqual("7", 7.0, .double))
        #expect(try isEqual("0.1", Double(Float(0.1)), .float))
        #expect(try !isEqual("0.2", Double(Float(0.1)), .float))
        #expect(try isEqual("5", 1, .bool))
        #expect(try isEqual("'8C5F2A52-0D1E-4C3B-9A7F-6E5D4C3B2A10'", "8c5f2a52-0d1e-4c3b-9a7f-6e5d4c3b2a10", .uuid))
        #expect(try isEqual("'{\"b\": 1.0, \"a\": 2}'", "{\"a\":2,\"b\":1}", .json))
        #expect(try !isEqual("'{\"a\":1}'", "{\"a\":2}", .json))
        #expect(try isEqual("'[1, 2]'", "[1,2]", .list(of: .int)))
        #expect(try isEqual("'[\"1.0\"]'", "[\"1\"]", .list(of: .decimal)))
        #expect(try isEqual("'Hello'", "hello", .custom(LowercaseWord.self, of: .string)))
        #expect(try isEqual("'1.50'", "1.5", .custom(Money.self, of: .decimal)))
    }

    @Test("M6 A value that cannot be read as the type is not the same value, so that it is fixed")
    func unreadable() throws {
        #expect(try !isEqual("'2026-11-27 00:00:00'", "2026-11-27", .day))
        #expect(try !isEqual("'7'", 7, .int))
        #expect(try !isEqual("7.0", 7, .int))
        #expect(try !isEqual("7", "7", .string))
        #expect(try !isEqual("'many'", "1", .decimal))
        #expect(try !isEqual("x'31'", "1", .decimal))
        #expect(try !isEqual("'{'", "{}", .json))
    }

    @Test("Cells are bound unchanged: empty texts and bytes are not NULL, and NUL is a character like any other")
    func binding() throws {
        let values: [DatabaseValue] = [
            .null, 7.databaseValue, 1.5.databaseValue, "".databaseValue, "a\0b".databaseValue, "é😀".databaseValue,
            Data().databaseValue, Data([0, 1]).databaseValue,
        ]
        let arena = TextArena()
        try DatabaseQueue().read { database in
            let prepared = try database.makeStatement(sql: "SELECT ?")
            let statement = prepared.sqliteStatement
            defer { withExtendedLifetime(prepared) {} }
            for value in values {
                let cell = Cell(value, arena: arena)
                cell.bind(to: statement, parameter: 1)
                #expect(sqlite3_step(statement) == SQLITE_ROW)
                #expect(cell.isEqual(to: statement, column: 0, type: .string), "\(value)")
                #expect((sqlite3_column_type(statement, 0) == SQLITE_NULL) == value.isNull)
                sqlite3_reset(statement)
            }
            Cell(text: UnsafeBufferPointer(start: nil, count: 0)).bind(to: statement, parameter: 1)
            #expect(sqlite3_step(statement) == SQLITE_ROW)
            #expect(sqlite3_column_type(statement, 0) == SQLITE_TEXT)
            sqlite3_reset(statement)
        }
    }

    @Test("A default is the same as on the typed path for a new record")
    func defaults() throws {
        let arena = TextArena()
        let now = Date(timeIntervalSince1970: 1_709_281_800.1234567)
        let id = try #require(UUID(uuidString: "8C5F2A52-0D1E-4C3B-9A7F-6E5D4C3B2A10"))
        func cell(_ type: StoredType, _ description: DefaultValue?) -> DefaultCell? {
            let column = ColumnDescription("a", content: .attribute("a"), type: type, default: description)
            return DefaultCell(column, arena: arena)
        }
        func value(_ type: StoredType, _ description: DefaultValue?) -> DatabaseValue? {
            cell(type, description)?.cell(arena, now: { now }, newIdentity: { id }).databaseValue
        }
        #expect(value(.string, nil) == nil)
        #expect(value(.string, .string("x")) == "x".databaseValue)
        #expect(value(.bool, .bool(true)) == 1.databaseValue)
        #expect(value(.int16, .integer(-1)) == (-1).databaseValue)
        #expect(value(.float, .double(0.1)) == Double(Float(0.1)).databaseValue)
        #expect(value(.double, .double(1)) == 1.0.databaseValue)
        #expect(value(.decimal, .decimal("1.50")) == "1.5".databaseValue)
        #expect(value(.date, .date(5)) == 5.0.databaseValue)
        #expect(value(.date, .now) == now.storedValue)
        #expect(value(.uuid, .newUUID) == id.storedValue)
        #expect(value(.data, .data([1])) == Data([1]).databaseValue)
        #expect(value(.json, .json("{\"b\": 1, \"a\": 2}")) == "{\"a\":2,\"b\":1}".databaseValue)
        #expect(value(.list(of: .decimal), .list([.decimal("1.0")])) == "[\"1\"]".databaseValue)
        #expect(value(.list(of: .bool), .list([.bool(true)])) == "[true]".databaseValue)
        #expect(value(.list(of: .double), .list([.double(1)])) == "[1.0]".databaseValue)
        #expect(value(.custom(LowercaseWord.self, of: .string), .string("Aa")) == "aa".databaseValue)
        #expect(cell(.date, .now)?.fixed?.kind == nil)
        #expect(cell(.int, .integer(1))?.fixed?.integer == 1)
    }
}
