extension SchemaSource {
    /// Reads the files that the schema includes.
    ///
    /// What the schema says is no path: only the name of a file in the folder of the schema is read.
    /// - Parameter file: Returns the file with this name beside the schema; `nil` if there is none.
    package mutating func include(_ file: (_ name: String) throws -> SchemaSource?) rethrows {
        var seen: Set<String> = []
        included = try includedNames.filter { seen.insert($0).inserted }.prefix(SourcePosition.greatestFile)
            .compactMap(file)
    }

    /// Whether a text is the name of a schema file in any folder, and not a path.
    static func isFileName(_ name: String) -> Bool {
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.hasPrefix(".") && name != "lockstep.yaml"
            && !HistoryFile.isHistory(name)
            && name.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789._-+ ".unicodeScalars.contains($0)
            }
    }

    /// The names of the files that a schema includes, without those that are not names of files.
    private var includedNames: [String] {
        // Few schemas include files; the others are not parsed twice.
        guard bytes.contains(SchemaKeys.include.description.name) else { return [] }
        var (diagnostics, reading) = ([Diagnostic](), GrammarReading())
        guard let root = parseYAML(self, diagnostics: &diagnostics), case .mapping(let entries) = root.content,
            let node = entries.first(where: { $0.key.text == SchemaKeys.include.description.name })?.value
        else { return [] }
        let names = SchemaKeys.include.kind.read(node, SchemaKeys.include.description, &reading) ?? []
        return names.map(\.value).filter(Self.isFileName)
    }
}

extension [UInt8] {
    /// Whether a text is anywhere in these bytes.
    fileprivate func contains(_ text: String) -> Bool {
        withUnsafeBufferPointer { bytes in
            guard let first = text.utf8.first else { return true }
            var rest = bytes[...]
            while let start = rest.firstIndex(of: first) {
                if bytes[start...].starts(with: text.utf8) { return true }
                rest = bytes[(start + 1)...]
            }
            return false
        }
    }
}

extension SchemaDeclaration {
    /// Adds the declarations of the files that the schema includes.
    ///
    /// - Returns: Whether all of them could be read.
    mutating func include(_ files: [SchemaSource], diagnostics: inout [Diagnostic]) -> Bool {
        var areRead = true
        var seen: [String: Located<String>] = [:]
        for name in includes {
            if let first = seen.updateValue(name, forKey: name.value) {
                diagnostics.append(Diagnostic.declaredTwice(name, first: first).located(in: paths))
                continue
            }
            guard paths.count <= SourcePosition.greatestFile else {
                diagnostics.append(Diagnostic.tooManyIncludes(at: name.range).located(in: paths))
                return false
            }
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
            _ values: [Value], name: (Value) -> Located<String>, among known: [Value]
        ) -> [Value] {
            let first = Dictionary(known.map { (name($0).value, name($0)) }) { first, _ in first }
            return values.filter { value in
                guard let first = first[name(value).value] else { return true }
                diagnostics.append(Diagnostic.declaredTwice(name(value), first: first).located(in: paths))
                return false
            }
        }
        enumerations += new(part.enumerations, name: \.name, among: enumerations)
        types += new(part.types, name: \.name, among: types)
        entities += new(part.entities, name: \.name, among: entities)
    }
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

    static func tooManyIncludes(at range: TextRange) -> Diagnostic {
        Diagnostic(
            .includeNotFound, at: range,
            message: "A schema can include \(SourcePosition.greatestFile) files at most",
            remedy: "Write the declarations of several files in one.")
    }

    static func declaredTwice(_ name: Located<String>, first: Located<String>) -> Diagnostic {
        Diagnostic(
            .declaredTwice, at: name.range, message: "'\(name.value.shortened)' is declared twice in this schema",
            remedy: "Remove or rename one of the two. An included file cannot replace a declaration.",
            notes: [Note("First declared here", at: first.range)])
    }

    static let includeCatalogue = [
        CatalogueEntry(
            code: .includeNotFound,
            title: "Included file not found",
            explanation: """
                A schema can include up to 127 files in its own folder. Write their names, with the suffix `.yaml` or \
                `.yml`, and no paths: a schema cannot read files in other folders.
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
