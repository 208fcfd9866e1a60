#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A failed system call, with its `errno`.
struct SystemFailure: Error, Hashable, Sendable {
    var number: Int32

    /// Something other than a file was found.
    static let notAFile = SystemFailure(number: EINVAL)
    /// A file is larger than any of its kind.
    static let tooLarge = SystemFailure(number: EFBIG)

    /// The system's message: `No space left on device`.
    var message: String {
        switch self {
        case .notAFile: "it is a link, a pipe or a device"
        case .tooLarge: "it is larger than any file that lockstep writes"
        default: String(cString: strerror(number))
        }
    }

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isExisting: Bool { number == EEXIST }
    /// Whether a folder is not empty. Some systems report that it exists.
    var isNotEmpty: Bool { number == ENOTEMPTY || number == EEXIST }
    var isBelowFile: Bool { number == ENOTDIR }

    /// An instruction for the user.
    var remedy: String {
        switch number {
        case EACCES, EPERM, EROFS: "Check the permissions, or choose another folder with --output."
        case ENOSPC, EDQUOT: "Free some disk space and run the command again."
        case EMFILE, ENFILE: "Too many files are open: raise the limit (ulimit -n) and run the command again."
        case EINVAL, EFBIG: "Restore it from version control, or remove it."
        case ENAMETOOLONG: "Choose a folder with a shorter path with --output."
        default: "Fix the problem and run the command again."
        }
    }
}

/// The few system calls that the output needs, called directly: Foundation takes several times as long for each, and a
/// run reads and writes thousands of files.
package enum FileSystem {
    enum Kind { case file, folder, link, other }

    /// Returns the kind of file at a path, without following a link; `nil` if there is nothing.
    static func kind(of path: String) throws(SystemFailure) -> Kind? {
        var information = stat()
        guard lstat(path, &information) == 0 else {
            let failure = SystemFailure(number: errno)
            if failure.isMissing { return nil }
            throw failure
        }
        return kind(information)
    }

    private static func kind(_ information: stat) -> Kind {
        switch information.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// The bytes of a file, without following a link.
    ///
    /// - Parameters:
    ///   - expected: The expected contents. If they match, this array is returned, so that thousands of unchanged files
    ///     use no additional memory.
    ///   - buffer: A buffer for reading, which is enlarged as needed and shared by many files.
    ///   - limit: The maximum size of a file; a larger one fails with `EFBIG`.
    /// - Returns: `nil` for a folder.
    static func contents(
        of path: String, expected: [UInt8] = [], buffer: inout [UInt8], limit: Int = .max
    ) throws(SystemFailure) -> [UInt8]? {
        // Non-blocking, in case the path is a pipe.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemFailure(number: errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw SystemFailure(number: errno) }
        switch kind(information) {
        case .folder: return nil
        case .file: break
        case .link, .other: throw .notAFile
        }
        let size = Int(information.st_size)
        guard size <= limit else { throw .tooLarge }
        if buffer.count < size { buffer = [UInt8](repeating: 0, count: 2 * size) }
        let count = try read(descriptor, size: size, into: &buffer)
        return isEqual(buffer, expected: expected, count: count) ? expected : Array(buffer[..<count])
    }

    /// Whether the first `count` bytes of the buffer are all of the expected ones.
    private static func isEqual(_ buffer: [UInt8], expected: [UInt8], count: Int) -> Bool {
        guard count == expected.count else { return false }
        return buffer.withUnsafeBytes { read in
            expected.withUnsafeBytes { expected in
                guard let read = read.baseAddress, let expected = expected.baseAddress else { return count == 0 }
                return memcmp(read, expected, count) == 0
            }
        }
    }

    private static func read(
        _ descriptor: Int32, size: Int, into buffer: inout [UInt8]
    ) throws(SystemFailure) -> Int {
        var count = 0
        while count < size {
            let chunk = buffer.withUnsafeMutableBytes { room in
                systemRead(descriptor, buffer: room.baseAddress.map { $0 + count }, count: size - count)
            }
            if chunk == 0 { break }
            if chunk < 0 && errno != EINTR { throw SystemFailure(number: errno) }
            count += max(chunk, 0)
        }
        return count
    }

    /// The sorted names in a folder; empty if it does not exist.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let stream = opendir(path) else {
            let failure = SystemFailure(number: errno)
            if failure.isMissing { return [] }
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

private func systemRead(_ descriptor: Int32, buffer: UnsafeMutableRawPointer?, count: Int) -> Int {
    read(descriptor, buffer, count)
}
