package import LockstepReview

/// The other side of a release, with which a schema is compared.
package enum CompatibleSide: Sendable {
    case history(SchemaHistory)
    /// A schema without a history.
    case structure(SchemaTree, version: Int)
}

extension VersionedSchema {
    /// A comparison with the other side, and the problems of their histories.
    package struct Compatibility: Sendable {
        /// `nil` if the histories do not allow one.
        package var result: SchemaCompatibility?
        package var diagnostics: [Diagnostic]
        /// The names of the versions in messages.
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
        let current = SchemaTree(schema.structure)
        let newer = isDraft ? "the next version" : "version \(schema.version)"
        var compatibility = Compatibility(diagnostics: [], names: (label, newer))
        switch side {
        case .structure(let tree, let version):
            let file = FileVersion(number: version, fingerprint: StructureHash(tree).text)
            let closure = tree.name == schema.name ? closure(of: file) : .otherSchema(tree.name)
            var renamed = current
            // The name of a schema is not sent.
            renamed.name = tree.name
            let changes = try SchemaDiff.changes(
                from: tree, to: renamed, renames: locations.renames(since: tree, to: renamed))
            let other = SchemaCompatibility.Version(
                tree, changes: changes, hash: StructureHash(current), opens: closure == nil)
            compatibility.result = try SchemaCompatibility(with: [other], checking: categories)
            if let closure, categories.contains(.store) {
                compatibility.diagnostics.append(cannotOpen("Files of '\(label)'", closure: closure, label: label))
            }
        case .history(let other):
            try compare(current, with: other, oldest: oldest, checking: categories, compatibility: &compatibility)
        }
        return compatibility
    }

    private func compare(
        _ current: SchemaTree, with other: SchemaHistory, oldest: Int?,
        checking categories: Set<SchemaCompatibility.Category>, compatibility: inout Compatibility
    ) throws(StructureError) {
        let label = compatibility.names.older
        let history = history ?? other
        guard other.schema == history.schema, other.firstDifference(from: history) == nil else {
            compatibility.diagnostics = [historyDiffers(from: other, called: label)]
            return
        }
        let numbers = Set(other.supportedVersions(oldest: oldest ?? schema.oldest)).sorted()
        let shutOut = numbers.filter { $0 < history.first.number }
        if !shutOut.isEmpty, categories.contains(.store) {
            compatibility.diagnostics.append(tooOld(shutOut, first: history.first.number))
        }
        let recorded = try history.verified()
        let changes = try SchemaDiff.changes(
            from: recorded, to: current, renames: locations.renames(since: recorded, to: current))
        var versions: [SchemaCompatibility.Version] = []
        for version in other.versions where numbers.contains(version.number) && version.number >= history.first.number {
            let closure = closure(of: FileVersion(number: version.number, fingerprint: version.hash.text))
            versions.append(
                try SchemaCompatibility.Version(
                    version.number, of: history, unrecorded: changes, hash: StructureHash(current),
                    opens: closure == nil))
            if let closure, categories.contains(.store) {
                compatibility.diagnostics.append(
                    cannotOpen("Files of version \(version.number)", closure: closure, label: label))
            }
        }
        compatibility.result = try SchemaCompatibility(with: versions, checking: categories)
    }

    // MARK: Opening

    /// Why the app does not open a file.
    private enum Closure: Hashable {
        case otherSchema(String)
        case origin(FileOrigin, version: Int)
    }

    /// Why a release of the app does not open a file; `nil` if it does, by the rule of the store.
    private func closure(of file: FileVersion) -> Closure? {
        let number = isDraft ? (history?.head.number ?? 0) + 1 : schema.version
        let app = FileVersion(number: number, fingerprint: StructureHash(schema.structure).text)
        let origin = file.origin(for: app, history: history)
        switch origin {
        case .current, .recorded: return nil
        case .newer, .older, .unrecorded: return .origin(origin, version: file.number)
        }
    }

    private func cannotOpen(_ files: String, closure: Closure, label: String) -> Diagnostic {
        let begin = "Begin the history with what was released: remove it, and run 'lockstep migrate --from \(label) …'."
        let (reason, remedy) =
            switch closure {
            case .otherSchema(let name):
                (
                    "they are of the schema '\(name)'",
                    "Restore the name of the schema. To compare only what is sent, add '--only wire'."
                )
            case .origin(.newer, let version):
                (
                    "they are of version \(version), and the schema's is \(schema.version)",
                    "Restore the schema and its history from version control."
                )
            case .origin where history == nil:
                (
                    "no version of the schema is recorded",
                    """
                    Restore the history, or begin it with what was released: 'lockstep migrate --from \(label) --name \
                    NAME'. To compare only what is sent, add '--only wire'.
                    """
                )
            case .origin(.older, let version):
                ("they are of version \(version), and the history begins with a later one", begin)
            case .origin(_, let version):
                ("they are of another version \(version) than that of the history", begin)
            }
        return .cannotOpen(files, reason: reason, remedy: remedy, at: locations.version ?? locations.name)
    }

    // MARK: Findings

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
                    DiagnosticCode(rawValue: finding.code.rawValue), at: locations.range(of: finding.path),
                    message: finding.message(older: older, newer: newer).capitalizingFirst,
                    remedy: finding.help(older: older, newer: newer),
                    severity: finding.level == .breaking || isStrict ? .error : .warning)
            }
    }

    private func historyDiffers(from other: SchemaHistory, called label: String) -> Diagnostic {
        let number = history.flatMap { other.firstDifference(from: $0) } ?? other.first.number
        return Diagnostic(
            .historyForked, at: locations.version ?? locations.name,
            message: "The history does not continue that of '\(label)': version \(number) is another one, or missing",
            remedy: "Merge '\(label)', and run 'lockstep migrate --rebase'.")
    }

    private func tooOld(_ numbers: [Int], first: Int) -> Diagnostic {
        Diagnostic(
            DiagnosticCode(rawValue: "too-old"), at: locations.version ?? locations.name,
            message: "Files of \(SchemaCompatibility.text(numbers)) cannot be opened: "
                + "the history begins with version \(first)",
            remedy: "Restore the history, or write 'oldest: \(first)' if no such app is in use any more.")
    }
}
