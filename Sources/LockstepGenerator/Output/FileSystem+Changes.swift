#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension FileSystem {
    /// A system call that changes the disk.
    package enum Change: String, Sendable {
        case createFile, write, close, move, removeFile, createFolder, removeFolder
    }

    /// Faults that tests inject into changes of the disk; otherwise `nil`.
    @TaskLocal package static var faults: (any FileSystemFaults)?

    /// Writes a file that does not exist yet. It is not flushed to the disk (`fsync`): what a process has written
    /// survives its end, and flushing, which only matters if the power fails, would take most of a run's time.
    static func create(_ path: String, contents: [UInt8]) throws(SystemFailure) {
        try fault(.createFile, at: path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemFailure(number: errno) }
        var failure = write(contents, to: descriptor, at: path)
        do throws(SystemFailure) {
            try fault(.close, at: path)
        } catch {
            failure = failure ?? error
        }
        if close(descriptor) != 0, failure == nil { failure = SystemFailure(number: errno) }
        if let failure {
            unlink(path)
            throw failure
        }
    }

    private static func write(_ contents: [UInt8], to descriptor: Int32, at path: String) -> SystemFailure? {
        // Two pieces in tests, so that a fault can occur in the middle of a file.
        let pieceSize = faults == nil ? contents.count : max(1, contents.count / 2 + 1)
        return contents.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                do throws(SystemFailure) { try fault(.write, at: path) } catch { return error }
                let room = min(pieceSize, buffer.count - written)
                let chunk = systemWrite(descriptor, buffer: buffer.baseAddress.map { $0 + written }, count: room)
                if chunk >= 0 {
                    written += chunk
                } else if errno != EINTR {
                    return SystemFailure(number: errno)
                }
            }
            return nil
        }
    }

    /// Moves a file, atomically replacing another one if it exists.
    static func move(_ path: String, to newPath: String) throws(SystemFailure) {
        try fault(.move, at: newPath)
        guard rename(path, newPath) == 0 else { throw SystemFailure(number: errno) }
    }

    static func removeFile(_ path: String) throws(SystemFailure) {
        try fault(.removeFile, at: path)
        guard unlink(path) == 0 else { throw SystemFailure(number: errno) }
    }

    static func createFolder(_ path: String) throws(SystemFailure) {
        try fault(.createFolder, at: path)
        guard mkdir(path, 0o777) == 0 else { throw SystemFailure(number: errno) }
    }

    /// Creates a folder and its missing parents. It creates nothing if the folder, or a file with its name, exists.
    ///
    /// - Parameter created: Receives the created folders, outermost first, even if the call fails.
    static func createFolder(
        withThoseAbove path: String, created: inout [String]
    ) throws(SystemFailure) {
        do {
            try createFolder(path)
        } catch  where error.isExisting {
            return
        } catch  where error.number == ENOENT && !OutputPath.parent(of: path).isEmpty {
            try createFolder(withThoseAbove: OutputPath.parent(of: path), created: &created)
            try createFolder(path)
        }
        created.append(path)
    }

    /// Removes a folder if it is empty.
    static func removeFolder(_ path: String) throws(SystemFailure) {
        try fault(.removeFolder, at: path)
        guard rmdir(path) == 0 else { throw SystemFailure(number: errno) }
    }

    /// Creates the missing folders between a folder and a path in it.
    ///
    /// - Parameter created: Receives the created folders, outermost first, even if the call fails.
    static func createFolders(above path: String, in root: String, created: inout [String]) throws(SystemFailure) {
        let parent = OutputPath.parent(of: path)
        guard !parent.isEmpty, try kind(of: root + "/" + parent) == nil else { return }
        try createFolders(above: parent, in: root, created: &created)
        try createFolder(root + "/" + parent)
        created.append(root + "/" + parent)
    }

    /// Removes the folders in a folder that are empty without these paths.
    static func removeEmptyFolders(above paths: [String], in root: String) throws(SystemFailure) {
        var parents = Set(paths.map(OutputPath.parent))
        while let longest = parents.max(by: { $0.utf8.count < $1.utf8.count }), !longest.isEmpty {
            parents.remove(longest)
            do {
                try removeFolder(root + "/" + longest)
            } catch  where error.isNotEmpty {
                continue
            } catch  where error.isMissing {
                // A killed run has removed it.
            }
            parents.insert(OutputPath.parent(of: longest))
        }
    }

    private static func fault(_ change: Change, at path: String) throws(SystemFailure) {
        guard let number = faults?.errorNumber(before: change, at: path), number != 0 else { return }
        throw SystemFailure(number: number)
    }
}

/// Injects faults before changes of the disk.
package protocol FileSystemFaults: Sendable {
    /// - Returns: The `errno` with which the change fails; 0 to allow it.
    func errorNumber(before change: FileSystem.Change, at path: String) -> Int32
}

private func systemWrite(_ descriptor: Int32, buffer: UnsafeRawPointer?, count: Int) -> Int {
    write(descriptor, buffer, count)
}
