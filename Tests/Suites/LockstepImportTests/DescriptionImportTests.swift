import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("OpenAPI descriptions, JSON Schemas and Rails schemas become schemas")
struct DescriptionImportTests {
    static let all = DescriptionFixture.openAPI + DescriptionFixture.rails

    @Test("A fixture of each feature becomes the expected schema and report", arguments: all)
    func fixture(_ fixture: DescriptionFixture) throws {
        let imported = try fixture.imported()
        #expect(try imported.text == ImportFixture.expected("\(fixture.name).lockstep.yaml"))
        let report = imported.report.text("Schemas/\(fixture.name).yaml")
        #expect(try report == ImportFixture.expected("\(fixture.name).txt"))
    }

    @Test("The schema breaks no rule", arguments: all)
    func rules(_ fixture: DescriptionFixture) throws {
        let text = try fixture.imported().text
        let reading = readSchemas([SchemaSource(path: "\(fixture.name).yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.map(\.name) == [fixture.name])
    }

    /// Every value, changed: the schema or the report changes, or the report says that it has no meaning, or that what
    /// it is in was not taken over.
    @Test("Nothing of a description is lost in silence", arguments: all)
    func nothingIsLost(_ fixture: DescriptionFixture) throws {
        let lines = try fixture.contents.components(separatedBy: "\n")
        let original = try importing(lines.joined(separator: "\n"), file: fixture.file)
        let text = original.text + original.report.text("")
        let excused = ReportedLines(original.report, lines)
        var count = 0
        for (index, line) in lines.enumerated() where !excused.contains(index + 1) {
            for match in line.matches(of: fixture.valuePattern) {
                let value = String(match.output.1)
                if excused.ignores(value, before: line[..<match.output.1.startIndex], in: line) { continue }
                count += 1
                var others = lines
                others[index] = line.replacingCharacters(
                    in: match.output.1.startIndex..<match.output.1.endIndex, with: Self.changed(value))
                let result = Result { try importing(others.joined(separator: "\n"), file: fixture.file) }
                guard case .success(let other) = result else { continue }
                let isLost = other.text + other.report.text("") == text
                #expect(!isLost, "\(index + 1): \(others[index])")
            }
        }
        #expect(count > 20)
    }

    private static func changed(_ value: String) -> String {
        switch value {
        case "true": return "false"
        case "false": return "true"
        default: break
        }
        if let number = Int(value) { return String(number + 1) }
        if let number = Double(value) { return String(number + 1) }
        for quote in ["\"", "'"] where value.hasPrefix(quote) { return value.dropLast() + "Changed" + quote }
        return value + "Changed"
    }
}

/// The lines that a report explains.
private struct ReportedLines {
    private var lines: Set<Int> = []
    private let ignored: String

    init(_ report: ImportReport, _ source: [String]) {
        let notes = report.notes.filter { $0.kind == .ignored }
        ignored = notes.map(\.text).joined(separator: "\n")
        for match in ignored.matches(of: /(\d+)(?:–(\d+))?/) {
            guard let first = Int(match.1) else { continue }
            lines.formUnion(first...(match.2.flatMap { Int($0) } ?? first))
        }
        for note in report.notes where note.kind == .left || note.text.hasSuffix(" is json") {
            for match in note.text.matches(of: /in lines ([\d, –]+)/) {
                lines.formUnion(match.1.split(separator: ", ").compactMap { Int($0) })
            }
            guard let location = note.location, let line = location.split(separator: ":").last.flatMap({ Int($0) })
            else {
                continue
            }
            lines.formUnion(line...Self.end(of: line, source))
        }
    }

    /// The last line of what is indented below a line.
    private static func end(of line: Int, _ source: [String]) -> Int {
        func indentation(_ text: String) -> Int { text.prefix { $0 == " " }.count }
        let own = indentation(source[line - 1])
        var last = line
        while last < source.count, indentation(source[last]) > own { last += 1 }
        return last
    }

    func contains(_ line: Int) -> Bool { lines.contains(line) }

    /// Whether an option of a Rails schema is listed as ignored.
    func ignores(_ value: String, before start: Substring, in line: String) -> Bool {
        if line.contains("ActiveRecord::Schema") || line.hasPrefix("#") { return true }
        let option = start.matches(of: /([a-z_]+): ?:?$/).last.map { String($0.1) }
        if option == "name" {
            return ignored.contains("name of an index") && line.contains("index")
                || ignored.contains("name of a constraint") && line.contains("check_constraint")
        }
        if option == "precision" { return ignored.contains("precision of a date") && line.contains("datetime") }
        if line.contains("enable_extension") { return ignored.contains("enable_extension") }
        if ignored.contains("null of a join table"), line.contains("flair_id\"") || line.contains("debate_id\"") {
            return true
        }
        return option.map { ignored.contains("database: \($0)") || ignored.contains(", \($0)") } ?? false
    }
}

extension DescriptionFixture {
    /// A value of the file, as a whole.
    fileprivate var valuePattern: Regex<(Substring, Substring)> {
        file.hasSuffix(".rb")
            ? /[ :\[]("[^"]*"|[a-z_]+|-?[0-9.]+)(?=[,\]} ]|$)/.matchingSemantics(.graphemeCluster)
            : /(?:: |[\[,] ?|- )("[^"]*"|'[^']*'|[A-Za-z0-9_.\/#-]+)(?= ?[,}\]]|$)/
    }
}
