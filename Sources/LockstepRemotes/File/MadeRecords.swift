import Foundation
import LockstepSystem
import LockstepTables

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Records which change created which record of a file that is used as a server: a line each, in a file next to it.
/// Only one instance can be open at a time.
struct MadeRecords {
    private let file: FileHandle
    private let lines: [Line]
    /// Whether the last line is incomplete, because the process ended while it was written.
    private let isTorn: Bool

    private struct Line {
        let key: String
        let collection: String
        let identity: RemoteIdentity

        init?(_ value: JSONValue) {
            guard case .array(let parts) = value, parts.count == 3, case .string(let key) = parts[0],
                case .string(let collection) = parts[1], case .array(let values) = parts[2]
            else { return nil }
            (self.key, self.collection, identity) = (key, collection, RemoteIdentity(values))
        }
    }

    /// Opens the file next to another one, and waits until it is not open elsewhere.
    init(beside url: URL) throws {
        let path = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).keys").path
        // Neither behind a link, nor in a named pipe, which would never end.
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path, flags, mode_t(PrivateFile.fileMode))
        guard descriptor >= 0, PrivateFile.isFile(path), flock(descriptor, LOCK_EX) == 0 else {
            let code = errno
            if descriptor >= 0 { _ = Self.closed(descriptor) }
            throw SyncError(
                .network, request: url.lastPathComponent,
                reason: "the file next to it cannot be opened, or is a link (\(code))",
                remedy: "Check its folder and its permissions.")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data = try file.readToEnd() ?? Data()
        isTorn = data.last.map { $0 != UInt8(ascii: "\n") } ?? false
        lines = data.split(separator: UInt8(ascii: "\n")).compactMap {
            (try? JSONValue(json: Data($0))).flatMap(Line.init)
        }
    }

    /// Closes the file, so that others can open it.
    func close() { try? file.close() }

    func identity(ofRecordMadeBy key: String) throws -> RemoteIdentity? { lines.last { $0.key == key }?.identity }

    func greatestIdentity(in collection: String) throws -> Int64 {
        lines.filter { $0.collection == collection }.reduce(0) { greatest, line in
            if case .integer(let number)? = line.identity.values.first { max(greatest, number) } else { greatest }
        }
    }

    /// Adds a line, and flushes it to the disk before anything else happens.
    func add(_ identity: RemoteIdentity, madeBy key: String, in collection: String) throws {
        let line = JSONValue.array([.string(key), .string(collection), .array(identity.values)])
        try file.write(contentsOf: Data((isTorn ? "\n" : "").utf8) + line.json() + Data("\n".utf8))
        try DiskFlush.durable(file)
    }

    private static func closed(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }
}

extension RemoteEntity {
    /// Whether the server's identities are integers.
    var hasWholeNumbers: Bool {
        let key = plan.serverKeyColumns
        guard plan.hasIdentity, key.count == 1 else { return false }
        return switch plan.columns[key[0]].type {
        case .int, .int16, .int32, .int64: true
        default: false
        }
    }
}
