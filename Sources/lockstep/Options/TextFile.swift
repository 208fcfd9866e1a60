import Foundation
import LockstepGenerator

/// A file that a command writes a text to.
struct TextFile {
    /// The path as it was given.
    let path: String
    /// The file itself if the path is a link, which stays one.
    private let target: String

    init(_ path: String) {
        self.path = path
        target = Self.target(of: path)
    }

    /// Writes the text to a file; to standard output if `path` is `nil`.
    ///
    /// - Throws: ``UsageFailure`` if the file cannot be read or written.
    static func write(_ text: String, to path: String?) throws {
        guard let path else { return Console.print(TerminalText(document: text)) }
        try TextFile(path).write(text)
    }

    /// The bytes of the file; `nil` if there is none.
    ///
    /// - Throws: ``UsageFailure`` if the file cannot be read.
    func contents() throws -> Data? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: target, isDirectory: &isFolder), !isFolder.boolValue else {
            return nil
        }
        guard let bytes = FileManager.default.contents(atPath: target) else {
            throw UsageFailure(message: "'\(path)' cannot be read. Check its permissions.")
        }
        return bytes
    }

    /// Writes the text, and reports that. A file that has this content is not touched.
    private func write(_ text: String) throws {
        try checkPlace()
        let bytes = Data(text.utf8)
        guard try contents() != bytes else { return Console.report("\(path): unchanged.") }
        do { try bytes.write(to: URL(fileURLWithPath: target), options: .atomic) } catch {
            throw UsageFailure(
                message: "'\(path)' cannot be written. Check the permissions and the free space of its folder.")
        }
        Console.report("Wrote \(path).")
    }

    /// - Throws: ``UsageFailure`` if no file can be there.
    func checkPlace() throws {
        guard !path.isEmpty else { throw UsageFailure(message: "The name of the output file is empty.") }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target, isDirectory: &isFolder), isFolder.boolValue {
            throw UsageFailure(message: "'\(path)' is a folder. Name a file, for example one in it.")
        }
        let folder = (target as NSString).deletingLastPathComponent
        guard FileManager.default.fileExists(atPath: folder.isEmpty ? "." : folder, isDirectory: &isFolder) else {
            throw UsageFailure(message: "There is no folder '\(folder)'. Create it first.")
        }
        guard isFolder.boolValue else {
            throw UsageFailure(message: "'\(folder)' is a file, not a folder. Choose another folder.")
        }
    }

    /// - Throws: ``UsageFailure`` if this is the file of a store, by whatever name, or one that SQLite has beside it.
    func checkIsNotPart(ofStore store: String) throws {
        let store = Self.resolved(store)
        try check(isNoneOf: ["", "-wal", "-shm", "-journal"].map { store + $0 }, named: "a file of the store")
    }

    /// - Parameter name: What the other files are.
    /// - Throws: ``UsageFailure`` if this is one of other files, by whatever name.
    func check(isNoneOf others: [String], named name: String) throws {
        func identity(_ path: String) -> [NSNumber]? {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            return [.systemNumber, .systemFileNumber].compactMap { attributes[$0] as? NSNumber }
        }
        let target = Self.resolved(target)
        for other in others.map(Self.resolved) {
            guard other == target || identity(other).map({ $0 == identity(target) }) ?? false else { continue }
            throw UsageFailure(message: "'\(path)' is \(name). Choose another name.")
        }
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// The maximum number of links that are followed, as in the system (`ELOOP`).
    private static let linkLimit = 40

    /// Follows links, even one to a file that does not exist yet.
    private static func target(of path: String) -> String {
        var path = path
        for _ in 0..<linkLimit {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = (path as NSString).deletingLastPathComponent
            path = next.hasPrefix("/") ? next : (folder as NSString).appendingPathComponent(next)
        }
        return path
    }
}
