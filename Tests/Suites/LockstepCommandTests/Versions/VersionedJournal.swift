import Foundation
import TestSupport
import Testing

/// A journal with a history of one version, whose schema a test changes.
struct VersionedJournal {
    let tool: CommandLineTool

    static let schema = """
        # What I write down.
        lockstep: 1
        schema: Journal
        enums:
          Mood: { closed: true, cases: [sad, neutral, happy] }
        entities:
          Entry:
            identity: identifier
            attributes:
              identifier: uuid
              title: string
              bodyText: string?
              mood: { type: Mood, default: neutral }
              timestamp: date
          Draft:
            attributes: { id: uuid, text: string }
            remote: none
          Product:
            attributes: { id: int, stock: int16, price: string, code: string? }

        """

    init(_ schema: String = schema) throws {
        tool = try CommandLineTool()
        try tool.write(schema, to: "Schemas/Journal.yaml")
        let result = try migrate("--from", "Schemas/Journal.yaml")
        #expect(result.status == 0)
        #expect(result.errors == "Journal 1, the first version\nWritten: Schemas/Journal.history.yaml\n")
    }

    var schema: String {
        get throws { try tool.read("Schemas/Journal.yaml") }
    }

    var history: String {
        get throws { try tool.read("Schemas/Journal.history.yaml") }
    }

    /// The recorded changes of the last version.
    var lastChanges: String {
        get throws { try history.components(separatedBy: "    changes:\n").last ?? "" }
    }

    /// Replaces a part of the schema, which must be there.
    func edit(_ text: String, _ new: String) throws {
        let schema = try schema
        try #require(schema.contains(text), "\(text)")
        try tool.write(schema.replacing(text, with: new), to: "Schemas/Journal.yaml")
    }

    @discardableResult
    func migrate(_ arguments: String...) throws -> ProcessResult { try tool.run(["migrate"] + arguments) }

    /// Expects that a command reports this, and changes neither file.
    func expectRefusal(
        _ arguments: [String], status: Int32 = 1, _ errors: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (schema, history) = (try schema, try history)
        let result = try tool.run(["migrate"] + arguments)
        #expect(result.status == status, sourceLocation: sourceLocation)
        #expect(result.errors == errors, sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(try self.schema == schema, sourceLocation: sourceLocation)
        #expect(try self.history == history, sourceLocation: sourceLocation)
    }

    /// Expects that a command records these changes, reports this, and that the schema then has no findings.
    func expectRecording(
        _ arguments: [String], _ errors: String, changes: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try tool.run(["migrate"] + arguments)
        #expect(result.status == 0, sourceLocation: sourceLocation)
        #expect(result.errors == errors, sourceLocation: sourceLocation)
        #expect(try lastChanges == changes, sourceLocation: sourceLocation)
        #expect(try schema.contains("\nschema: Journal\nversion: 2\n"), sourceLocation: sourceLocation)
        let check = try tool.run("check")
        #expect(check.status == 0, "\(check.errors)", sourceLocation: sourceLocation)
    }
}
