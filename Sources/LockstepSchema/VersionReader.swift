/// A schema file, with the history that is beside it.
package struct VersionedSource: Sendable {
    package var schema: SchemaSource
    /// `nil` if there is none.
    package var history: SchemaSource?

    package init(schema: SchemaSource, history: SchemaSource? = nil) {
        self.schema = schema
        self.history = history
    }

    package var all: [SchemaSource] { [schema] + (history.map { [$0] } ?? []) }
}

/// A schema with its recorded versions.
package struct VersionedSchema: Sendable {
    package var schema: Schema
    package var locations: SchemaLocations
    /// `nil` if there is none.
    package var history: SchemaHistory?

    /// The structure of the last version; `nil` if there is none.
    package var recorded: SchemaTree? { try? history?.verified() }

    /// Whether it has changes that no version records.
    package var isDraft: Bool {
        guard let history else { return false }
        return history.head.hash != StructureHash(schema.structure)
    }
}

/// The checks of a schema and its history.
package enum VersionChecks: Sendable {
    /// The history itself, before a version is added to it.
    case history
    /// Also that it records the schema. A change that it does not record is a warning.
    case build
    /// The checks of a release: there is a history, and a change that it does not record is an error.
    case release
}

/// Reads schema files with their histories, and reports all problems of all files.
///
/// - Returns: The schemas without errors, in the order of the files, and all diagnostics, sorted.
package func readVersions(
    _ sources: [VersionedSource], checking checks: VersionChecks
) -> (schemas: [VersionedSchema], diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let readings = readEach(sources.map(\.schema), diagnostics: &diagnostics)
    let schemas = zip(sources, readings).compactMap { source, reading -> VersionedSchema? in
        guard let reading else { return nil }
        var findings: [Diagnostic] = []
        defer { diagnostics += findings }
        var versioned = VersionedSchema(schema: reading.schema, locations: SchemaLocations(reading.declaration))
        if let history = source.history {
            versioned.history = readHistory(history, diagnostics: &findings)
            if versioned.history == nil { return nil }
        }
        findings += versioned.findings(of: checks, historyPath: HistoryFile.path(besideSchema: source.schema.path))
        return versioned
    }
    return (schemas, Diagnostic.sortedWithoutRepeats(diagnostics))
}

extension VersionedSchema {
    fileprivate func findings(of checks: VersionChecks, historyPath: String) -> [Diagnostic] {
        let version = locations.version ?? locations.name
        guard let history else {
            switch checks {
            case .build where schema.version > 1, .release where schema.version > 1:
                return [.historyMissing(schema.version, path: historyPath, at: version)]
            case .release: return [.neverRecorded(schema.name, at: locations.name)]
            case .history, .build: return []
            }
        }
        guard history.schema == schema.name else {
            return [.historyOfAnother(history.schema, in: schema.name, at: locations.name)]
        }
        let severity: Diagnostic.Severity
        switch checks {
        case .history: return []
        case .build: severity = .warning
        case .release: severity = .error
        }
        var findings: [Diagnostic] = []
        if schema.version != history.head.number {
            findings.append(.historyBehind(schema.version, head: history.head.number, at: version))
        }
        if isDraft, let recorded { findings.append(unrecordedChange(since: recorded, severity: severity)) }
        return findings
    }

    private func unrecordedChange(since recorded: SchemaTree, severity: Diagnostic.Severity) -> Diagnostic {
        let current = SchemaTree(schema.structure)
        let renames = locations.renames(since: recorded, to: current)
        let changes = (try? SchemaDiff.changes(from: recorded, to: current, renames: renames)) ?? []
        return .unrecordedChange(
            changes, at: changes.first.map { locations.range(of: $0.path) } ?? locations.name, severity: severity)
    }
}
