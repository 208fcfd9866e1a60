package import Foundation

/// A file or a folder that is imported.
package struct ImportInput: Sendable {
    /// As it was given; `-` for standard input.
    package let path: String
    /// The contents of what can be read only once: standard input and pipes.
    private let contents: Data?

    /// The largest file that is read, in bytes.
    static let sizeLimit = 256 << 20

    /// - Throws: ``ImportFailure`` if there is no such file, or it is a pipe that cannot be read.
    package init(path: String) throws(ImportFailure) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard FileManager.default.fileExists(atPath: path) else {
            throw ImportFailure(path, reason: "There is no such file. Check the path.")
        }
        contents = Self.isPipe(path) ? try Self.contents(ofPipe: path) : nil
    }

    /// Whether it is something like `/dev/stdin` or the `<(…)` of a shell.
    private static func isPipe(_ path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { return false }
        return information.st_mode & S_IFMT != S_IFREG && information.st_mode & S_IFMT != S_IFDIR
    }

    private static func contents(ofPipe path: String) throws(ImportFailure) -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else { throw unreadable(path) }
        defer { try? file.close() }
        var data = Data()
        do {
            while let part = try file.read(upToCount: 1 << 20), !part.isEmpty, data.count <= sizeLimit {
                data.append(part)
            }
        } catch { throw unreadable(path) }
        guard data.count <= sizeLimit else { throw tooLarge(path) }
        return data
    }

    private static func unreadable(_ path: String) -> ImportFailure {
        ImportFailure(path, reason: "It cannot be read. Check its permissions.")
    }

    private static func tooLarge(_ path: String) -> ImportFailure {
        ImportFailure(path, reason: "It has more than \(sizeLimit >> 20) MiB. Import a part of it.")
    }

    /// Creates the input from standard input.
    package init(standardInput: Data) {
        path = "-"
        contents = standardInput
    }

    /// Whether it was read already, and is no file that can be opened.
    var isStream: Bool { contents != nil }

    /// Whether its path says nothing of what it contains.
    private var isUnnamed: Bool { path == "-" || isStream && path.hasPrefix("/dev/") }

    /// The name of the file or folder, as the report has it.
    var name: String {
        if ["-", "/dev/stdin"].contains(path) { return "standard input" }
        return isUnnamed ? path : (path as NSString).lastPathComponent
    }

    /// The name without its extension; `nil` for standard input.
    var baseName: String? { isUnnamed ? nil : (name as NSString).deletingPathExtension }

    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return contents == nil && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// What is in a folder, by name, without what is hidden; at most a thousand.
    var entries: [ImportInput] {
        guard isFolder, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [] }
        return names.sorted().filter { !$0.hasPrefix(".") }.prefix(1_000).compactMap { name in
            let entry = "\(path)/\(name)"
            return Self.isPipe(entry) ? nil : try? ImportInput(path: entry)
        }
    }

    /// Whether it begins as an object of JSON, after a byte order mark and spaces; no folder does.
    var beginsWithObject: Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let first = beginning().first { !mark.contains($0) && !" \n\r\t".utf8.contains($0) }
        return first == UInt8(ascii: "{")
    }

    /// The first bytes, to recognize it by; empty for a folder, and for what cannot be read.
    func beginning(_ count: Int = 4096) -> [UInt8] {
        if let contents { return Array(contents.prefix(count)) }
        guard !isFolder, let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        return Array((try? file.read(upToCount: count)) ?? Data())
    }

    /// All bytes.
    ///
    /// - Throws: ``ImportFailure`` if it cannot be read, or has more than 256 MiB.
    func read() throws(ImportFailure) -> Data {
        if let contents { return contents }
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
        guard size <= Self.sizeLimit else { throw Self.tooLarge(path) }
        guard !isFolder, let data = FileManager.default.contents(atPath: path) else { throw Self.unreadable(path) }
        return data
    }
}
