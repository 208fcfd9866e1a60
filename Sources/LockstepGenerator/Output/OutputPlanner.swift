import LockstepEvolution

/// Compares the expected with the existing files.
struct OutputPlanner {
    let snapshot: OutputSnapshot
    let force: Bool
    /// The fingerprint of each schema folder's input, by folder.
    let inputs: [String: InputFingerprint]
    private(set) var writes: [OutputPlan.Write] = []
    private(set) var manifestWrites: [OutputPlan.Write] = []
    private(set) var transitions: [OutputPlan.Write] = []
    private(set) var removals: [String] = []
    private(set) var unchangedCount = 0
    private(set) var conflicts: [OutputConflict] = []
    private(set) var findings: [OutputFinding] = []

    init(snapshot: OutputSnapshot, force: Bool, inputs: [String: InputFingerprint]) {
        self.snapshot = snapshot
        self.force = force
        self.inputs = inputs
    }

    /// One expected file, with its parts.
    private struct Wanted {
        var path: String
        var rest: String
        var contents: [UInt8]
        var hash: ContentHash
    }

    mutating func plan(_ files: [GeneratedFile]) {
        var taken: Set<String> = []
        var folders: [String: [Wanted]] = [:]
        for file in files {
            guard taken.insert(file.path.lowercased()).inserted else {
                conflicts.append(OutputConflict(kind: .wantedTwice, path: file.path))
                continue
            }
            let (folder, rest) = OutputPath.split(file.path)
            let hash = ContentHash(file.contents)
            folders[folder, default: []].append(
                Wanted(path: file.path, rest: rest, contents: file.contents, hash: hash)
            )
        }
        let names = Set(folders.keys).union(snapshot.manifests.keys).sorted()
        let orphans = names.map { self.orphans(in: $0, wanted: folders[$0] ?? []) }
        // If the file system ignores case, removing an orphan would remove the expected file.
        let removed = Set(
            zip(names, orphans).flatMap { folder, rests in rests.map { OutputPath.join(folder, rest: $0).lowercased() }
            })
        for (folder, orphans) in zip(names, orphans) {
            planFolder(folder, wanted: folders[folder] ?? [], orphans: orphans, removed: removed)
        }
    }

    /// The paths in a schema's folder of what an earlier run wrote and is not expected any more.
    private func orphans(in folder: String, wanted: [Wanted]) -> [String] {
        let wantedRests = Set(wanted.map(\.rest))
        return (snapshot.manifests[folder]?.hashes.keys.filter { !wantedRests.contains($0) } ?? []).sorted()
    }

    private mutating func planFolder(_ folder: String, wanted: [Wanted], orphans: [String], removed: Set<String>) {
        let manifest = snapshot.manifests[folder] ?? Manifest()
        let findingsBefore = findings.count
        for orphan in orphans {
            planOrphan(OutputPath.join(folder, rest: orphan), knownHashes: manifest.hashes[orphan] ?? [])
        }
        for file in wanted {
            let isEntangled = !removed.isEmpty && removed.contains(file.path.lowercased())
            planFile(file, knownHashes: manifest.hashes[file.rest], isEntangled: isEntangled)
        }
        planManifest(folder, wanted: wanted, isOnlyFinding: findings.count == findingsBefore)
    }

    private mutating func planFile(_ file: Wanted, knownHashes: [ContentHash]?, isEntangled: Bool) {
        switch snapshot.files[file.path] {
        case nil:
            find(.missing, at: file.path, current: nil, wanted: file.contents)
            write(file, isReplacement: false)
        case .contents(file.contents):
            unchangedCount += 1
            if isEntangled { write(file, isReplacement: true) }
        case .contents(let current):
            replace(file, current: current, knownHashes: knownHashes)
        case .other:
            find(.notGenerated, at: file.path, current: nil, wanted: file.contents)
            conflictUnlessForced(.notGenerated, at: file.path)
            write(file, isReplacement: true)
        }
    }

    private mutating func replace(_ file: Wanted, current: [UInt8], knownHashes: [ContentHash]?) {
        if let knownHashes, knownHashes.contains(ContentHash(current)) {
            find(.stale, at: file.path, current: current, wanted: file.contents)
        } else if knownHashes != nil {
            find(.edited, at: file.path, current: current, wanted: file.contents)
            conflictUnlessForced(.edited, at: file.path)
        } else if saysItIsGenerated(current) {
            // Without a manifest, a file of an earlier run cannot be distinguished from an edited one.
            find(.edited, at: file.path, current: current, wanted: file.contents)
            conflictUnlessForced(.unrecorded, at: file.path)
        } else {
            find(.notGenerated, at: file.path, current: current, wanted: file.contents)
            conflictUnlessForced(.notGenerated, at: file.path)
        }
        write(file, isReplacement: true)
    }

    /// A manifest is only a text file and may contain any path in its folder. A file that differs from what a run wrote
    /// stays, even if the run is forced, unless the file contains that it is generated.
    private mutating func planOrphan(_ path: String, knownHashes: [ContentHash]) {
        guard case .contents(let current) = snapshot.files[path] else { return }
        if knownHashes.contains(ContentHash(current)) {
            find(.orphaned, at: path, current: current, wanted: nil)
            removals.append(path)
        } else if saysItIsGenerated(current) {
            find(.edited, at: path, current: current, wanted: nil)
            conflictUnlessForced(.edited, at: path)
            removals.append(path)
        } else if !force {
            find(.edited, at: path, current: current, wanted: nil)
            conflictUnlessForced(.edited, at: path)
        }
    }

    /// A difference of a manifest is only reported if it is the only one, since it follows from the others.
    private mutating func planManifest(_ folder: String, wanted: [Wanted], isOnlyFinding: Bool) {
        let path = OutputPath.join(folder, rest: Manifest.fileName)
        let current = snapshot.manifestTexts[folder] ?? nil
        let isForeign = snapshot.manifests[folder]?.isForeign ?? false
        if isForeign { conflictUnlessForced(.badManifest, at: path) }
        guard !wanted.isEmpty else {
            if isOnlyFinding, let current { find(.orphaned, at: path, current: current, wanted: nil) }
            if current != nil { removals.append(path) }
            return
        }
        let files = wanted.map { ($0.rest, $0.hash) }
        let text = Manifest.text(of: files, input: inputs[folder]?.hash)
        guard text != current else { return }
        // If only another input produces the same files, for example after a comment was changed, nothing is stale.
        let isSameButForInput = Manifest.text(of: files, input: snapshot.manifests[folder]?.input) == current
        if isForeign || (isOnlyFinding && !isSameButForInput) {
            find(
                isForeign ? .notGenerated : current == nil ? .missing : .stale, at: path, current: current, wanted: text
            )
        }
        manifestWrites.append(
            OutputPlan.Write(path: path, contents: text, isReplacement: current != nil, isManifest: true)
        )
        planTransition(path, wanted: wanted, manifest: snapshot.manifests[folder] ?? Manifest())
    }

    private mutating func planTransition(_ path: String, wanted: [Wanted], manifest: Manifest) {
        var accepted = manifest.hashes
        for file in wanted where accepted[file.rest]?.contains(file.hash) != true {
            accepted[file.rest, default: []].append(file.hash)
        }
        guard accepted != manifest.hashes else { return }
        let files = accepted.flatMap { path, hashes in hashes.map { (path: path, hash: $0) } }
        transitions.append(
            OutputPlan.Write(path: path, contents: Manifest.text(of: files), isReplacement: true, isManifest: true))
    }

    private mutating func write(_ file: Wanted, isReplacement: Bool) {
        writes.append(
            OutputPlan.Write(
                path: file.path, contents: file.contents, isReplacement: isReplacement, isManifest: false
            )
        )
    }

    private mutating func find(_ kind: OutputFinding.Kind, at path: String, current: [UInt8]?, wanted: [UInt8]?) {
        findings.append(OutputFinding(kind: kind, path: path, current: current, wanted: wanted))
    }

    private mutating func conflictUnlessForced(_ kind: OutputConflict.Kind, at path: String) {
        if !force { conflicts.append(OutputConflict(kind: kind, path: path)) }
    }
}
