package import Foundation

/// A file or a folder that is imported.
package struct ImportInput: Sendable {
    /// As it was given; `-` for standard input.
    package let path: String
    /// The contents that were read already.
    private let contents: Data?

    /// The largest file that is read, in bytes.
    static let sizeLimit = 256 << 20

    /// - Throws: ``ImportFailure`` if there is no such file.
    package init(path: String) throws(ImportFailure) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        contents = nil
        guard FileManager.default.fileExists(atPath: path) else {
            throw ImportFailure(path, "There is no such file. Check the path.")
        }
    }

    /// What came from standard input.
    package init(standardInput: Data) {
        path = "-"
        contents = standardInput
    }

    /// The name of the file or folder, as the report has it.
    var name: String { path == "-" ? "standard input" : (path as NSString).lastPathComponent }

    /// The name without its extension; `nil` for standard input.
    var baseName: String? { path == "-" ? nil : (name as NSString).deletingPathExtension }

    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return contents == nil && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
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
        guard size <= Self.sizeLimit else {
            throw ImportFailure(path, "It has more than \(Self.sizeLimit >> 20) MiB. Import a part of it.")
        }
        guard !isFolder, let data = FileManager.default.contents(atPath: path) else {
            throw ImportFailure(path, "It cannot be read. Check its permissions.")
        }
        return data
    }
}
