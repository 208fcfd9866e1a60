extension SchemaDeclaration {
    /// Adds the declarations of the files that the schema includes.
    ///
    /// - Returns: Whether all of them could be read.
    mutating func include(_ files: [SchemaSource], diagnostics: inout [Diagnostic]) -> Bool {
        var areRead = true
        for name in includes.prefix(SourcePosition.greatestFile) {
            guard let file = files.first(where: { $0.name == name.value }) else {
                diagnostics.append(.includeNotFound(name).located(in: paths))
                areRead = false
                continue
            }
            paths.append(file.path)
            guard let root = parseYAML(file, file: paths.count - 1, diagnostics: &diagnostics),
                let part = Grammar.readPart(root, paths: paths, diagnostics: &diagnostics)
            else {
                areRead = false
                continue
            }
            add(part, diagnostics: &diagnostics)
        }
        return areRead
    }

    private mutating func add(_ part: PartDeclaration, diagnostics: inout [Diagnostic]) {
        func new<Value>(
            _ values: [Value], _ kind: String, name: (Value) -> Located<String>, among known: [Value]
        ) -> [Value] {
            let first = Dictionary(known.map { (name($0).value, name($0)) }) { first, _ in first }
            return values.filter { value in
                guard let first = first[name(value).value] else { return true }
                diagnostics.append(Diagnostic.declaredTwice(name(value), kind: kind, first: first).located(in: paths))
                return false
            }
        }
        enumerations += new(part.enumerations, "enum", name: \.name, among: enumerations)
        types += new(part.types, "type", name: \.name, among: types)
        entities += new(part.entities, "entity", name: \.name, among: entities)
    }
}

/// What an included file declares.
struct PartDeclaration: Sendable {
    var enumerations: [EnumerationDeclaration]
    var types: [TypeDeclaration]
    var entities: [EntityDeclaration]
}

extension DiagnosticCode {
    /// A file that a schema includes, and that is not in its folder.
    package static let includeNotFound = DiagnosticCode(rawValue: "include-not-found")
    /// A name that two files of a schema declare.
    package static let declaredTwice = DiagnosticCode(rawValue: "declared-twice")
}

extension Diagnostic {
    static func includeNotFound(_ name: Located<String>) -> Diagnostic {
        let isName = SchemaSource.isFileName(name.value)
        return Diagnostic(
            .includeNotFound, at: name.range,
            message: isName
                ? "There is no file '\(name.value.shortened)' in the folder of this schema"
                : "'\(name.value.shortened)' is not the name of a YAML file",
            remedy: "Write the name of a file in the same folder, for example 'include: [Shared.yaml]'.")
    }

    static func declaredTwice(_ name: Located<String>, kind: String, first: Located<String>) -> Diagnostic {
        Diagnostic(
            .declaredTwice, at: name.range, message: "There is already an \(kind) '\(name.value)' in this schema",
            remedy: "Remove or rename one of the two. An included file adds declarations, and replaces none.",
            notes: [Note("First declared here", at: first.range)])
    }

    static let includeCatalogue = [
        CatalogueEntry(
            code: .includeNotFound,
            title: "Included file not found",
            explanation: """
                A schema can include files in its own folder, by their names with the suffix `.yaml` or `.yml`. Folders \
                are not named: a schema must not read other files of the disk.
                """,
            wrong: """
                lockstep: 1
                schema: Journal
                include: [../Shared.yaml]
                entities:
                  Entry:
                    attributes: { id: uuid, title: string }
                """,
            right: """
                lockstep: 1
                schema: Journal
                entities:
                  Entry:
                    attributes: { id: uuid, title: string }
                """),
        CatalogueEntry(
            code: .declaredTwice,
            title: "Declared in two files",
            explanation: """
                The enums, types and entities of a schema and of the files that it includes have one scope. A name that \
                the schema or an earlier file declares cannot be declared again.
                """,
            wrong: """
                lockstep: 1
                schema: Journal
                include: [Shared.yaml]
                enums: { Mood: [sad, happy] }
                entities:
                  Entry:
                    attributes: { id: uuid, mood: Mood }
                """,
            right: """
                lockstep: 1
                schema: Journal
                enums: { Mood: [sad, happy] }
                entities:
                  Entry:
                    attributes: { id: uuid, mood: Mood }
                """,
            trigger: .including(
                """
                lockstep: 1
                enums: { Mood: [sad, happy] }
                """)),
    ]
}
