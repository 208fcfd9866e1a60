import Foundation

/// The files of Swift in folders, within limits.
struct SwiftSources {
    private(set) var files: [SwiftSourceFile] = []
    private(set) var lines: FileLines
    /// The files of folders that were not read.
    private(set) var unread: [SwiftUnread] = []
    /// Why the first of them could not be.
    private(set) var failure: ImportFailure?
    /// The models of Core Data in the folders.
    private(set) var bundles: [String] = []

    /// The files of a folder that are read.
    private static let countLimit = 10_000
    /// The files and folders of a folder that are looked at.
    private static let entryLimit = 100_000
    /// The size of all files that are read, in bytes.
    private static let sizeLimit = 64 << 20

    /// Whether a path is a file of Swift, or a folder that has one.
    static func recognizes(_ input: ImportInput) -> Bool {
        if !input.isFolder { return input.name.hasSuffix(".swift") }
        return ((try? Entries(in: input.path, limit: 1, isTrial: true)) ?? Entries()).files.first != nil
    }

    /// - Throws: ``ImportFailure`` if a file or a folder cannot be read, or a limit is exceeded.
    init(_ inputs: [ImportInput]) throws(ImportFailure) {
        lines = FileLines(path: inputs[0].path)
        var size = 0
        for input in inputs {
            guard input.isFolder else {
                try add(try input.read(), name: input.name, size: &size)
                guard size <= Self.sizeLimit, files.count <= Self.countLimit else { throw Self.tooLarge(input.path) }
                continue
            }
            let entries = try Entries(in: input.path, limit: Self.countLimit + 1)
            bundles += entries.bundles.map { "\(input.path)/\($0)" }
            guard files.count + entries.files.count <= Self.countLimit else { throw Self.tooLarge(input.path) }
            unread += entries.links.map { link in
                SwiftUnread(
                    text: "\(input.name)/\(link) is a link and was not read", help: "Name the file that it leads to.")
            }
            for path in entries.files {
                let data = try ImportInput(path: "\(input.path)/\(path)").read()
                do throws(ImportFailure) {
                    try add(data, name: "\(input.name)/\(path)", size: &size)
                } catch {
                    failure = failure ?? error
                    unread.append(SwiftUnread(text: "\(input.name)/\(path) was not read", help: error.reason))
                }
                guard size <= Self.sizeLimit else { throw Self.tooLarge(input.path) }
            }
        }
    }

    private mutating func add(_ data: Data, name: String, size: inout Int) throws(ImportFailure) {
        let nextLine = files.last.map { $0.firstLine + $0.lineCount } ?? 1
        let file = try SwiftSourceFile(data, name: name, firstLine: nextLine)
        files.append(file)
        lines.add(file.name, firstLine: file.firstLine)
        size += data.count
    }

    /// What a folder contains, as paths in it. Links are not followed.
    private struct Entries {
        private(set) var files: [String] = []
        /// The links whose names are those of files of Swift.
        private(set) var links: [String] = []
        private(set) var bundles: [String] = []

        init() {}

        /// - Parameter isTrial: Whether folders that cannot be read are passed over.
        init(in folder: String, limit: Int, isTrial: Bool = false) throws(ImportFailure) {
            var (open, count) = ([""], 0)
            while let path = open.popLast(), files.count < limit {
                let place = path.isEmpty ? folder : "\(folder)/\(path)"
                guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
                    if isTrial { continue }
                    throw ImportFailure(place, reason: "It cannot be read. Check its permissions.")
                }
                count += names.count
                guard count <= SwiftSources.entryLimit else { throw SwiftSources.tooMany(folder) }
                for name in names {
                    let entry = path.isEmpty ? name : "\(path)/\(name)"
                    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(entry)")
                    switch attributes?[.type] as? FileAttributeType {
                    case .typeDirectory?:
                        let isBundle = name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
                        if isBundle { bundles.append(entry) } else if !name.hasPrefix(".") { open.append(entry) }
                    case .typeRegular?: if name.hasSuffix(".swift") { files.append(entry) }
                    case .typeSymbolicLink?: if name.hasSuffix(".swift") { links.append(entry) }
                    default: break
                    }
                }
            }
            files.sort()
            links.sort()
            bundles.sort()
        }
    }

    private static func tooMany(_ folder: String) -> ImportFailure {
        ImportFailure(
            folder, reason: "It has more than \(entryLimit) files and folders. Name the folder of the models.")
    }

    private static func tooLarge(_ folder: String) -> ImportFailure {
        ImportFailure(
            folder,
            reason: "It has more than \(countLimit) files of Swift, or more than \(sizeLimit >> 20) MiB of them. Name "
                + "the folder of the models.")
    }
}
