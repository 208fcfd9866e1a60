package import LockstepEvolution
package import LockstepReview

/// What a schema is compared with: the other side of a release.
package enum CompatibleSide: Sendable {
    case history(SchemaHistory)
    /// A schema without a history.
    case structure(SchemaTree)
}

extension VersionedSchema {
    /// A comparison with the other side, and the problems of their histories.
    package struct Compatibility: Sendable {
        /// `nil` if the histories do not allow one.
        package var result: SchemaCompatibility?
        package var diagnostics: [Diagnostic]
        /// What the versions are called in messages.
        let names: (older: String, newer: String)
    }

    /// Compares the schema, with changes that no version records, with every supported version of the other side.
    ///
    /// - Parameters:
    ///   - label: What the other side is called: a revision or a file.
    ///   - oldest: The oldest supported version; `nil` for the schema's own.
    /// - Throws: `StructureError` if a change does not fit.
    package func compatibility(
        with side: CompatibleSide, called label: String, oldest: Int?,
        checking categories: Set<SchemaCompatibility.Category>
    ) throws(StructureError) -> Compatibility {
        var current = SchemaTree(schema.structure)
        let hash = StructureHash(current)
        let newer = isDraft ? "the next version" : "version \(schema.version)"
        var compatibility = Compatibility(diagnostics: [], names: (label, newer))
        switch side {
        case .structure(let tree):
            // The name of a schema is not sent.
            current.name = tree.name
            let changes = try SchemaDiff.changes(
                from: tree, to: current, renames: places.renames(since: tree, to: current))
            let version = SchemaCompatibility.Version(tree, changes: changes, hash: hash)
            compatibility.result = try SchemaCompatibility(with: [version], checking: categories)
        case .history(let other):
            let history = history ?? other
            guard other.schema == history.schema, other.firstDifference(from: history) == nil else {
                compatibility.diagnostics = [historyDiffers(from: other, called: label)]
                return compatibility
            }
            let numbers = Set(other.supportedVersions(oldest: oldest ?? schema.oldest)).sorted()
            let shutOut = numbers.filter { $0 < history.first.number }
            if !shutOut.isEmpty { compatibility.diagnostics.append(tooOld(shutOut, first: history.first.number)) }
            let recorded = try history.verified()
            let changes = try SchemaDiff.changes(
                from: recorded, to: current, renames: places.renames(since: recorded, to: current))
            var versions: [SchemaCompatibility.Version] = []
            for number in numbers where number >= history.first.number {
                versions.append(
                    try SchemaCompatibility.Version(number, of: history, unrecorded: changes, hash: hash))
            }
            compatibility.result = try SchemaCompatibility(with: versions, checking: categories)
        }
        return compatibility
    }

    /// The findings of a comparison at their locations, without those that are safe.
    package func diagnostics(of compatibility: Compatibility) -> [Diagnostic] {
        let found = compatibility.result?.findings ?? []
        let isStrict = schema.compatibility == .full
        return compatibility.diagnostics
            + found.filter { $0.finding.level > .safe }.map { versioned in
                let finding = versioned.finding
                let older = versioned.versions.isEmpty ? compatibility.names.older : versioned.older
                let newer = compatibility.names.newer
                return Diagnostic(
                    DiagnosticCode(rawValue: finding.code.rawValue), at: places.range(of: finding.path),
                    finding.message(older: older, newer: newer).capitalizingFirst,
                    remedy: finding.help(older: older, newer: newer),
                    severity: finding.level == .breaking || isStrict ? .error : .warning)
            }
    }

    private func historyDiffers(from other: SchemaHistory, called label: String) -> Diagnostic {
        let number = history.flatMap { other.firstDifference(from: $0) } ?? other.first.number
        return Diagnostic(
            .historyForked, at: places.version ?? places.name,
            "The history does not continue that of '\(label)': version \(number) is another one, or missing",
            remedy: "Merge '\(label)', and run 'lockstep migrate --rebase'.")
    }

    private func tooOld(_ numbers: [Int], first: Int) -> Diagnostic {
        Diagnostic(
            DiagnosticCode(rawValue: "too-old"), at: places.version ?? places.name,
            "Files of \(SchemaCompatibility.text(numbers)) cannot be opened: the history begins with version \(first)",
            remedy: "Restore the history, or write 'oldest: \(first)' if no such app is in use any more.")
    }
}
