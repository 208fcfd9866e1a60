import Foundation
import Testing

@testable import LockstepSchema

@Suite("Diagnostics for machines")
struct MachineRenderingTests {
    private let finding: Diagnostic = {
        let range = SourceRange(
            path: "Schemas/a,b:c.yaml", start: SourcePosition(line: 3, column: 5),
            end: SourcePosition(line: 3, column: 9))
        return Diagnostic(
            .unknownKey, at: range, message: "Unknown \"key\" 100%\n\u{1}", remedy: "Remove it.",
            notes: [.init("First here", at: range)])
    }()

    @Test("JSON is an array of objects with stable keys")
    func json() throws {
        let data = Data(DiagnosticRenderer.json([finding]).utf8)
        let objects = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let object = try #require(objects.first)
        #expect(
            object.keys.sorted() == [
                "code", "column", "endColumn", "endLine", "line", "message", "notes", "path", "remedy", "severity",
            ])
        #expect(object["code"] as? String == "unknown-key")
        #expect(object["severity"] as? String == "error")
        #expect(object["message"] as? String == "Unknown \"key\" 100%\n\u{1}")
        #expect(object["path"] as? String == "Schemas/a,b:c.yaml")
        #expect(object["line"] as? Int == 3 && object["column"] as? Int == 5)
        #expect(object["endLine"] as? Int == 3 && object["endColumn"] as? Int == 9)
        let note = try #require((object["notes"] as? [[String: Any]])?.first)
        #expect(note["message"] as? String == "First here" && note["line"] as? Int == 3)
    }

    @Test("Without diagnostics, JSON is an empty array, and there are no commands")
    func none() {
        #expect(DiagnosticRenderer.json([]) == "[]\n")
        #expect(DiagnosticRenderer.github([]) == "")
    }

    @Test("A note is a notice of GitHub")
    func note() {
        var note = finding
        note.severity = .note
        #expect(DiagnosticRenderer.github([note]).hasPrefix("::notice file="))
        #expect(DiagnosticRenderer(sources: []).summary([finding, note]) == "1 error, 1 note")
    }

    @Test("A GitHub command is one line with its escapes")
    func github() {
        let expected =
            "::error file=Schemas/a%2Cb%3Ac.yaml,line=3,col=5,title=unknown-key::Unknown \"key\" 100%25%0A\\u{1}"
            + "%0AFirst here: Schemas/a,b:c.yaml:3:5%0ARemove it.\n"
        #expect(DiagnosticRenderer.github([finding]) == expected)
    }
}
