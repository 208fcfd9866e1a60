/// Where a run keeps files that wait, and those that it has moved aside: a folder in the output folder, which the run
/// makes first and removes last, and one in each schema's folder that it writes to, since that may be a link to another
/// disk.
///
/// Their names begin with a dot, so that build tools do not look into them, and end with the number of the process.
struct StagingFolders {
    private static let opening = ".lockstep-staging-"
    /// In the root's staging folder, the list of the others.
    private static let listName = "folders"

    let root: String
    /// The name that each of them has.
    let name: String
    /// The schema's folders that have one, each with whether the run makes the schema's folder too.
    private(set) var schemaFolders: [(folder: String, isNew: Bool)] = []

    /// Those of this process.
    init(root: String) {
        self.root = root
        name = Self.opening + String(FileSystem.processNumber)
    }

    /// Those that an earlier run has left, as far as their list tells.
    init(root: String, name: String) throws(SystemFailure) {
        self.root = root
        self.name = name
        schemaFolders = Self.folders(in: try FileSystem.contentsIfThere(of: path + "/" + Self.listName) ?? [])
    }

    /// The number of the process that a name is of; `nil` for another name.
    static func process(of name: String) -> Int32? {
        guard name.hasPrefix(opening) else { return nil }
        let digits = name.dropFirst(opening.count)
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int32(digits) : nil
    }

    /// The root's.
    var path: String { root + "/" + name }

    var journalPath: String { path + "/" + OutputJournal.fileName }

    /// The one in a schema's folder, or the root's for files at the top.
    func path(inFolder folder: String) -> String { root + "/" + OutputPath.join(folder, name) }

    /// Where a path's file of this number waits.
    func place(of path: String, number: Int) -> String {
        self.path(inFolder: OutputPath.split(path).folder) + "/" + String(number)
    }

    // MARK: Making them

    /// Makes the root's, lists the others in it, and makes those.
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
        // A line that was cut off is of a run that had made none of them yet.
        let end = text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
        return text[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line in
            let line = String(decoding: line, as: UTF8.self)
            let folder = String(line.dropFirst(4))
            guard line.hasPrefix("new ") || line.hasPrefix("old "), OutputPath.isSafe(folder), !folder.contains("/")
            else { return nil }
            return (folder, line.hasPrefix("new "))
        }
    }

    // MARK: Removing them

    /// Removes the files of the schema's folders that wait no more, and the folders that the run made and left empty.
    func removeFromSchemas() throws(SystemFailure) {
        for (folder, isNew) in schemaFolders {
            try Self.remove(path(inFolder: folder)) { Int($0) != nil }
            if isNew { try Self.removeFolder(root + "/" + folder) }
        }
    }

    /// Removes the journal: without it, nothing that waits is to take its place any more.
    func removeJournal() throws(SystemFailure) {
        try Self.removeFiles(in: path) { $0 == OutputJournal.fileName }
    }

    /// Removes the root's, the journal before all else in it. It comes last: as long as it is there, the next run looks
    /// for the others.
    func removeFromRoot() throws(SystemFailure) {
        try removeJournal()
        try Self.removeFiles(in: path) { Int($0) != nil || $0 == Self.unfinishedJournalName }
        try Self.remove(path) { $0 == Self.listName }
    }

    /// The journal while it is written.
    static let unfinishedJournalName = OutputJournal.fileName + ".new"

    /// Whether a root's staging folder has what a run leaves in it, or nothing; another one is a person's.
    static func isOurs(_ path: String) throws(SystemFailure) -> Bool {
        let names = try FileSystem.names(in: path)
        let ours = [OutputJournal.fileName, unfinishedJournalName, listName]
        return names.isEmpty || names.contains { Int($0) != nil || ours.contains($0) }
    }

    private static func remove(_ folder: String, files isOurs: (String) -> Bool) throws(SystemFailure) {
        try removeFiles(in: folder, where: isOurs)
        try removeFolder(folder)
    }

    /// Removes a folder that is empty; what a person has put there stays.
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
