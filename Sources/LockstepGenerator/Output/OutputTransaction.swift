/// Carries out a plan so that a failure in the middle can be taken back.
///
/// New files are written where they go. Files to be replaced or removed are moved aside, into a folder beside them,
/// which takes no room and cannot fail for want of it; they are deleted only when everything else is done.
struct OutputTransaction {
    let root: String
    private var steps: [Step] = []
    private var folders: Set<String> = []
    private var stagingFolders: [String: String] = [:]
    private var stagedCount = 0
    private var asidePaths: [String] = []

    /// A step that was taken, and can be taken back.
    private enum Step {
        case createdFolder(String)
        case createdFile(String)
        case moved(from: String, to: String)
    }

    init(root: String) {
        self.root = root
    }

    /// Carries out the whole plan, or throws and leaves everything as it was.
    mutating func carryOut(_ plan: OutputPlan) throws(OutputError) {
        do {
            let staged = try writeFiles(plan.writes)
            for path in plan.removals {
                try setAside(path, .cannotRemove)
            }
            for (path, stagedPath) in staged {
                try setAside(path, .cannotWrite)
                try move(stagedPath, to: absolute(path), .cannotWrite)
            }
        } catch {
            throw takeBack(after: error)
        }
        finish(plan.removals)
    }

    /// Writes new files where they go, and those that replace others beside them.
    ///
    /// - Returns: paths, each with that of the file that waits to take its place.
    private mutating func writeFiles(_ writes: [OutputPlan.Write]) throws(OutputError) -> [(String, String)] {
        try createFolder(root)
        var staged: [(String, String)] = []
        for write in writes {
            try createFolder(absoluteParent(of: write.path))
            guard write.isReplacement else {
                try createFile(absolute(write.path), write.contents)
                continue
            }
            let stagedPath = try stagingPath(for: write.path)
            try createFile(stagedPath, write.contents)
            staged.append((write.path, stagedPath))
        }
        return staged
    }

    private mutating func createFile(_ path: String, _ contents: [UInt8]) throws(OutputError) {
        do {
            try FileSystem.create(path, contents)
        } catch {
            if error.isExisting { throw .appeared(path) }
            throw .system(.cannotWrite, path, error)
        }
        steps.append(.createdFile(path))
    }

    /// Creates a folder, and those above it that are missing.
    private mutating func createFolder(_ path: String) throws(OutputError) {
        guard folders.insert(path).inserted else { return }
        do {
            try FileSystem.createFolder(path)
            steps.append(.createdFolder(path))
        } catch  where error.isExisting {
            // A file of that name shows itself when something is written below it.
            return
        } catch  where error.isMissing && !OutputPath.parent(of: path).isEmpty {
            try createFolder(OutputPath.parent(of: path))
            do {
                try FileSystem.createFolder(path)
                steps.append(.createdFolder(path))
            } catch {
                throw .system(.cannotWrite, path, error)
            }
        } catch {
            throw .system(.cannotWrite, path, error)
        }
    }
}

extension OutputTransaction {
    /// Moves a file away from its place. That it is gone already is fine where upper and lower case are the same: the
    /// orphan `entry.swift` was `Entry.swift` too.
    private mutating func setAside(_ path: String, _ code: OutputError.Code) throws(OutputError) {
        guard let kind = try? FileSystem.kind(of: absolute(path)) else { return }
        if kind == .folder { throw .folderInTheWay(absolute(path)) }
        let asidePath = try stagingPath(for: path)
        try move(absolute(path), to: asidePath, code)
        asidePaths.append(asidePath)
    }

    private mutating func move(_ path: String, to newPath: String, _ code: OutputError.Code) throws(OutputError) {
        do {
            try FileSystem.move(path, to: newPath)
        } catch {
            throw .system(code, code == .cannotWrite ? newPath : path, error)
        }
        steps.append(.moved(from: path, to: newPath))
    }

    /// A path in the folder for files that wait. It is in the schema's folder, so that it is on the same disk, and its
    /// name begins with a dot, so that build tools do not look into it.
    private mutating func stagingPath(for path: String) throws(OutputError) -> String {
        stagedCount += 1
        let folder = OutputPath.split(path).folder
        if let staging = stagingFolders[folder] { return "\(staging)/\(stagedCount)" }
        let staging = "\(absolute(OutputPath.join(folder, ".lockstep-staging")))-\(FileSystem.processNumber)"
        do {
            try FileSystem.createFolder(staging)
        } catch {
            throw .system(.cannotWrite, staging, error)
        }
        steps.append(.createdFolder(staging))
        stagingFolders[folder] = staging
        return "\(staging)/\(stagedCount)"
    }

    /// Takes all steps back, the last one first.
    ///
    /// - Returns: the error, with what could not be put back.
    private func takeBack(after error: OutputError) -> OutputError {
        var left: [String] = []
        for step in steps.reversed() {
            do {
                switch step {
                case .createdFolder(let path): try FileSystem.removeFolder(path)
                case .createdFile(let path): try FileSystem.removeFile(path)
                case .moved(let path, let newPath): try FileSystem.move(newPath, to: path)
                }
            } catch let failure {
                if case .moved(let path, let newPath) = step {
                    left.append("\(path) is now \(newPath): \(failure.message)")
                }
            }
        }
        var error = error
        if !left.isEmpty { error.problem += "; and this could not be put back: " + left.joined(separator: "; ") }
        return error
    }

    /// Deletes what was set aside, and folders that became empty. Nothing depends on it any more, so a failure is no
    /// error.
    private func finish(_ removals: [String]) {
        for path in asidePaths { try? FileSystem.removeFile(path) }
        for staging in stagingFolders.values { try? FileSystem.removeFolder(staging) }
        var parents = Set(removals.map(OutputPath.parent))
        while let longest = parents.max(by: { $0.utf8.count < $1.utf8.count }), !longest.isEmpty {
            parents.remove(longest)
            guard (try? FileSystem.removeFolder(absolute(longest))) != nil else { continue }
            parents.insert(OutputPath.parent(of: longest))
        }
    }

    private func absolute(_ path: String) -> String { root + "/" + path }

    private func absoluteParent(of path: String) -> String {
        let parent = OutputPath.parent(of: path)
        return parent.isEmpty ? root : absolute(parent)
    }
}
