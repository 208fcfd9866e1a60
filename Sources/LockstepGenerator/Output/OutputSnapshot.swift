/// The output folder as it was when it was read: everything that a plan has to know of the disk.
public struct OutputSnapshot: Sendable {
    /// What is at a path.
    enum DiskFile: Hashable, Sendable {
        case contents([UInt8])
        /// Something that lockstep never writes: a link, a pipe.
        case other
    }

    /// The text of each schema folder's manifest, by folder; `nil` where it has none.
    var manifestTexts: [String: [UInt8]?] = [:]
    /// The same, read.
    var manifests: [String: Manifest] = [:]
    /// What is at each path that the plan may be about; nothing for a path where nothing is.
    var files: [String: DiskFile] = [:]

    /// The staging folders that runs have left which were killed.
    var interruptedRuns: [String] = []

    init() {}

    /// What is at a path that a plan is about, as a journal tells it.
    func before(_ path: String) -> OutputJournal.Before {
        let (folder, rest) = OutputPath.split(path)
        let manifest = rest == Manifest.fileName ? manifestTexts[folder] ?? nil : nil
        switch manifest.map(DiskFile.contents) ?? files[path] {
        case nil: return .nothing
        case .contents(let contents): return .contents(ContentHash(contents))
        case .other: return .special
        }
    }
}
