/// The folders for new files and for those that were moved aside: one in the output folder, which the run creates first
/// and removes last, and one in each schema's folder that it writes to, because that may be a link to another disk.
///
/// Their names begin with a dot, so that build tools ignore them, and end with the process ID.
struct StagingFolders {
    private static let opening = ".lockstep-staging-"
    /// The list of the other folders, in the root's staging folder.
    private static let listName = "folders"

    let root: String
    /// The name of each of them.
    let name: String
    /// The schema folders that have one, each with whether the run creates the schema folder too.
    private(set) var schemaFolders: [(folder: String, isNew: Bool)] = []

    /// The folders of this process.
    init(root: String) {
        self.root = root
        name = Self.opening + String(FileSystem.processNumber)
    }

    /// The folders of an earlier run, according to their list.
    init(root: String, name: String) throws(SystemFailure) {
        self.root = root
        self.name = name
        schemaFolders = Self.folders(in: try FileSystem.contentsIfThere(of: path + "/" + Self.listName) ?? [])
    }

    /// The process ID in a name; `nil` for another name.
    static func process(of name: String) -> Int32? {
        guard name.hasPrefix(opening) else { return nil }
        let digits = name.dropFirst(opening.count)
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int32(digits) : nil
    }

    /// The path of the root's staging folder.
    var path: String { root + "/" + name }

    var journalPath: String { path + "/" + OutputJournal.fileName }

    /// The path of the one in a schema's folder, or of the root's for files at the top level.
    func path(inFolder folder: String) -> String { root + "/" + OutputPath.join(folder, name) }

    /// The staged path of a path's file with this number.
    func place(of path: String, number: Int) -> String {
        self.path(inFolder: OutputPath.split(path).folder) + "/" + String(number)
    }

    // MARK: Creating

    /// Creates the root's folder, lists the others in it, and creates those.
    mutating func create(for folders: [String]) throws(OutputError) {
        schemaFolders = []
        for folder in folders where !folder.isEmpty {
            let isNew = (try? FileSystem.kind(of: root + "/" + folder)) == .some(nil)
            schemaFolders.append((folder, isNew))
        }
        try createFolder(path)
        do {
            try FileSystem.create(path + "/" + Self.listName, Array(list.utf8))
        } catch {
            throw .system(.cannotWrite, path, error)
        }
        for (folder, isNew) in schemaFolders {
            if isNew { try createFolder(root + "/" + folder) }
            try createFolder(path(inFolder: folder))
        }
    }

    private func createFolder(_ path: String) throws(OutputError) {
        do {
            try FileSystem.createFolder(path)
        } catch {
            throw .system(.cannotWrite, path, error)
        }
    }

    private var list: String {
        schemaFolders.map { "\($0.isNew ? "new" : "old") \($0.folder)\n" }.joined()
    }

    private static func folders(in text: [UInt8]) -> [(folder: String, isNew: Bool)] {
        // If a line is truncated, the run had not created any of them yet.
        let end = text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
        return text[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line in
            let line = String(decoding: line, as: UTF8.self)
            let folder = String(line.dropFirst(4))
            guard line.hasPrefix("new ") || line.hasPrefix("old "), OutputPath.isSafe(folder), !folder.contains("/")
            else { return nil }
            return (folder, line.hasPrefix("new "))
        }
    }

    // MARK: Removing

    /// Removes the staged files of the schema's folders, and the empty folders that the run created.
    func removeFromSchemas() throws(SystemFailure) {
        for (folder, isNew) in schemaFolders {
            try Self.remove(path(inFolder: folder)) { Int($0) != nil }
            if isNew { try Self.removeFolder(root + "/" + folder) }
        }
    }

    /// Removes the journal. Without it, staged files are not moved to their places any more.
    func removeJournal() throws(SystemFailure) {
        try Self.removeFiles(in: path) { $0 == OutputJournal.fileName }
    }

    /// Removes the root's folder, beginning with the journal. This is the last step: as long as the folder exists, the
    /// next run looks for the others.
    func removeFromRoot() throws(SystemFailure) {
        try removeJournal()
        try Self.removeFiles(in: path) { Int($0) != nil || $0 == Self.unfinishedJournalName }
        try Self.remove(path) { $0 == Self.listName }
    }

    /// The name of the journal while it is being written.
    static let unfinishedJournalName = OutputJournal.fileName + ".new"

    /// Whether a root's staging folder contains only files of a run, or nothing. Another one belongs to a person.
    static func isOurs(_ path: String) throws(SystemFailure) -> Bool {
        let names = try FileSystem.names(in: path)
        let ours = [OutputJournal.fileName, unfinishedJournalName, listName]
        return names.isEmpty || names.contains { Int($0) != nil || ours.contains($0) }
    }

    private static func remove(_ folder: String, files isOurs: (String) -> Bool) throws(SystemFailure) {
        try removeFiles(in: folder, where: isOurs)
        try removeFolder(folder)
    }

    /// Removes an empty folder. If a person has put something into it, it stays.
    private static func removeFolder(_ folder: String) throws(SystemFailure) {
        do {
            try FileSystem.removeFolder(folder)
        } catch  where error.isMissing || error.isNotEmpty {
            return
        }
    }

    private static func removeFiles(in folder: String, where isOurs: (String) -> Bool) throws(SystemFailure) {
        for name in try FileSystem.names(in: folder) where isOurs(name) {
            do {
                try FileSystem.removeFile(folder + "/" + name)
            } catch  where error.isMissing {
                continue
            }
        }
    }
}
