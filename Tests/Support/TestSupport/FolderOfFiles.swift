public import Foundation

/// Something that tests keep in a folder; paths are relative to it.
public protocol FolderOfFiles {
    var folder: URL { get }
}

extension FolderOfFiles {
    /// Writes a file, and creates the folders above it.
    public func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    public func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    }

    public func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    /// The files below `path`, including hidden ones, by their relative paths.
    ///
    /// - Throws: The system's error if there is no such folder.
    public func files(below path: String) throws -> [String] {
        let root = folder.appendingPathComponent(path)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: root.appendingPathComponent(name).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }
    }

    public func modificationDate(of path: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
        guard let date = attributes[.modificationDate] as? Date else { throw CocoaError(.fileReadUnknown) }
        return date
    }
}

/// A folder of the repository.
public struct RepositoryFolder: FolderOfFiles {
    public let folder: URL

    /// - Parameter path: The path from the root of the repository.
    public init(_ path: String) { folder = Documentation.root.appendingPathComponent(path) }
}
