import Foundation
import TestSupport
import Testing

@testable import upkeep

/// The limits of STYLE.md that can be checked.
struct SourceLimitsTests {
    /// The lines of every Swift file under `Sources`, by path.
    private static func sources() throws -> [String: [Substring]] {
        let files = try FileManager.default.swiftFiles(below: folder)
        try #require(files.count > 500)
        return Dictionary(
            uniqueKeysWithValues: files.map {
                ("Sources/\($0.path)", $0.text.split(separator: "\n", omittingEmptySubsequences: false))
            })
    }

    private static let folder = Documentation.root.appendingPathComponent("Sources")

    /// It reads each file token by token, so two limits share it.
    private static let shape = Result { try SourceShape(of: folder) }

    /// The lines of a multi-line literal are those of its output.
    @Test func noLineIsLongerThan120Columns() throws {
        var long: [String] = []
        for (path, lines) in try Self.sources() {
            var isInLiteral = false
            for (index, line) in lines.enumerated() {
                if !isInLiteral, line.count > 120 { long.append("\(path):\(index + 1)") }
                if line.components(separatedBy: "\"\"\"").count % 2 == 0 { isInLiteral.toggle() }
            }
        }
        #expect(long.sorted() == [])
    }

    @Test func noFileHasMoreThan400Lines() throws {
        #expect(try Self.sources().filter { $0.value.count > 401 }.keys.sorted() == [])
    }

    /// At most one parameter has no label, the object of the verb, so that a call says what else it passes.
    @Test func functionsHaveAtMostOneUnlabelledParameter() throws {
        // Those that are left compare two values, or are called by generated code or by apps. It only falls, but
        // for the two of a new type of attributes.
        let remaining = 137
        let found = try Self.shape.get().unlabelledFunctions
        #expect(found.count <= remaining, "\(found.sorted())")
    }

    /// Each public declaration is a promise from 1.0 on. More of them need a reason, and this number.
    @Test func publicDeclarationsAreFew() throws {
        #expect(try Self.shape.get().publicCount <= 1_361)
    }

    /// The tables of a store are used in one folder only, and in the folders that migrate them: other code uses types.
    /// An inspection reads the tables of any version by their constants.
    @Test func theNamesOfSystemTablesOccurInOneFolder() throws {
        let home = "Sources/LockstepTables/SystemTables/"
        // A server has tables of its own.
        let migrations = [
            "LockstepTables/Migration/", "LockstepEvolution/Migration/", "LockstepReview/PostgreSQL/",
            "LockstepGenerator/Server/", "LockstepImport/Adoption/", "LockstepImport/PostgreSQL/",
        ].map { "Sources/\($0)" }
        // A column, a savepoint, a function and its triggers, a wrong example, and functions of a server.
        let others: Set = [
            "lockstep_id", "lockstep_batch", "lockstep_note", "lockstep_note_", "lockstep_entry", "lockstep_changes",
            "lockstep_push", "lockstep_record", "lockstep_readable", "lockstep_writable",
        ]
        let sources = try Self.sources()
        for (path, lines) in sources
        where !path.hasPrefix(home) && !migrations.contains(where: { path.hasPrefix($0) }) {
            let code = lines.filter { !$0.trimmedPrefix(" ").hasPrefix("//") }
            let names = Set(code.flatMap { $0.matches(of: /lockstep_[a-z_]+/).map { String($0.0) } })
            #expect(names.subtracting(others) == [], "\(path)")
            if path.hasPrefix("Sources/LockstepInspection/Rows/") { continue }
            #expect(!code.contains { $0.contains("OutboxTables.") }, "\(path)")
        }
        let isThere = sources.contains { $0.key.hasPrefix(home) && $0.value.contains { $0.contains("OutboxTables.") } }
        #expect(isThere)
    }

    /// `Console` takes `TerminalText`, in which only our own text breaks lines and commands a terminal.
    @Test func onlyTheConsoleWritesToATerminal() throws {
        let console = "Sources/LockstepGenerator/Emission/Console.swift"
        let calls = /(^|[^\w.])(print|debugPrint|dump|fputs|puts|putchar|printf|fprintf|perror|NSLog)\(/
        let streams = /\.standard(Output|Error)\b(?! =)|STD(OUT|ERR)_FILENO|(^|[^\w.])std(out|err)\b/
        let writes = try Self.sources().mapValues { lines in
            lines.filter { !$0.trimmedPrefix(" ").hasPrefix("//") && ($0.contains(calls) || $0.contains(streams)) }
        }
        #expect(writes.filter { !$0.value.isEmpty && $0.key != console } == [:])
        #expect(writes[console]?.isEmpty == false)
    }

    /// GRDB ends a text at its first NUL, in arguments and in rows, and what is left can be another record's key. So
    /// values of unknown columns are read and bound as a whole: by `valueRows`, `change`, `recordedChange` and
    /// `RawStatement`.
    @Test func keysAreNotReadInAWayThatEndsAtNUL() throws {
        // The app's own SQL: it binds the values again, as a whole.
        let exceptions: Set = ["Sources/LockstepStore/Queries/ManagedObjectContext+SQL.swift"]
        let ways = [
            /StatementArguments\([^)]/, /DatabaseValue\.fetch/, /\.databaseValues\b/, /\bas DatabaseValue\b/,
            /: DatabaseValue = row\b/, /arguments: \[.*[kK]ey\.(?:text|values)/,
        ]
        var found: [String] = []
        var count = 0
        for (path, lines) in try Self.sources() where path.hasPrefix("Sources/") && !exceptions.contains(path) {
            for (index, line) in lines.enumerated() where !line.trimmedPrefix(" ").hasPrefix("//") {
                if ways.contains(where: { line.contains($0) }) { found.append("\(path):\(index + 1)") }
                if line.contains(".valueRows(") { count += 1 }
            }
        }
        #expect(found.sorted() == [])
        #expect(count > 50)
    }
}

extension Substring {
    fileprivate func trimmedPrefix(_ character: Character) -> Substring { drop { $0 == character } }
}
