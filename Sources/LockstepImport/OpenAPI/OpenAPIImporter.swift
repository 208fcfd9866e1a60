import Foundation
import LockstepSchema

/// Descriptions of servers (OpenAPI) and of JSON (JSON Schema), in YAML or JSON.
struct OpenAPIImporter: SchemaImporter {
    let title = "OpenAPI 3 and JSON Schema (.yaml, .json)"
    let takesSeveral = false
    let helpForSeveral = "If one refers to the others, import it alone. If not, import each by itself."

    func recognizes(_ input: ImportInput) -> Bool {
        guard !input.isFolder else { return false }
        let first = input.beginning()
        guard !first.isEmpty, !first.contains(0) else { return false }
        if Self.isDescription(first) { return true }
        guard first.count >= 4096, Self.isText(first) else { return false }
        // The keys can be in any order, with the longest value first.
        return Self.isDescription(input.beginning(OpenAPIReader.sizeLimit))
    }

    /// Whether it can be YAML or JSON with keys at the top.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { !" \n\r\t".utf8.contains($0) }
        return first.map { $0 >= 0x21 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "[") } ?? false
    }

    private static func isDescription(_ bytes: [UInt8]) -> Bool {
        let keys = TopLevelKeys(bytes).values
        if keys["openapi"] != nil || keys["swagger"] != nil { return true }
        if keys["$schema"]?.contains("json-schema.org/") == true || keys["$defs"] != nil { return true }
        return keys["definitions"] != nil || keys["properties"] != nil && keys["type"] == "object"
    }

    func schema(of inputs: [ImportInput], options: ImportOptions) throws(ImportFailure) -> ImportedSchema {
        let input = inputs[0]
        let files = try OpenAPIFiles(input)
        let notes = ImportNotes(file: input.name, location: files.lines.location)
        for problem in files.problems { notes.left(problem.line, text: problem.text) }
        let own = input.baseName.map { _ in OpenAPIFiles.plainName(input.name) }
        let document = try OpenAPIDocument(files, rootName: UsableName.type(own ?? "Root"))
        let title = files.root.peek("info")?.peek("title")?.text
        let name = UsableName.type(options.name ?? own ?? title ?? "Imported")
        var sketch = try OpenAPIImport(document, notes: notes, name: name).run()
        let repaired = try sketch.repair(notes, path: input.path)
        return ImportedSchema(repaired, report: notes.report, from: input.name)
    }
}
