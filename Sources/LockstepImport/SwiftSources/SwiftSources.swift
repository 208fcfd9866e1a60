import Foundation

/// The files of Swift in folders, within limits.
struct SwiftSources {
    private(set) var files: [SwiftSourceFile] = []
    private(set) var lines: SwiftLines

    /// The files of a folder that are read.
    private static let countLimit = 10_000
    /// The files and folders of a folder that are looked at.
    private static let entryLimit = 100_000
    /// The size of all files that are read, in bytes.
    private static let sizeLimit = 64 << 20

    /// Whether a path is a file of Swift, or a folder that has one.
    static func recognizes(_ input: ImportInput) -> Bool {
        if !input.isFolder { return input.name.hasSuffix(".swift") }
        return paths(in: input.path, limit: 1).first != nil
    }

    /// - Throws: ``ImportFailure`` if a file cannot be read, or a limit is exceeded.
    init(_ inputs: [ImportInput]) throws(ImportFailure) {
        lines = SwiftLines(path: inputs[0].path)
        var (size, nextLine) = (0, 1)
        for input in inputs {
            let paths = input.isFolder ? Self.paths(in: input.path, limit: Self.countLimit + 1) : [""]
            guard files.count + paths.count <= Self.countLimit else { throw Self.tooLarge(input) }
            for path in paths {
                let isFolder = !path.isEmpty
                let file = isFolder ? try ImportInput(path: "\(input.path)/\(path)") : input
                let data = try file.read()
                size += data.count
                guard size <= Self.sizeLimit else { throw Self.tooLarge(input) }
                let name = isFolder ? "\(input.name)/\(path)" : input.name
                files.append(try SwiftSourceFile(data, name: name, firstLine: nextLine))
                lines.add(files[files.count - 1])
                nextLine += files[files.count - 1].lineCount
            }
        }
    }

    /// The paths of files in a folder, sorted. Links are not followed.
    private static func paths(in folder: String, limit: Int) -> [String] {
        guard let entries = FileManager.default.enumerator(atPath: folder) else { return [] }
        var (found, count): ([String], Int) = ([], 0)
        while let entry = entries.nextObject() as? String, found.count < limit, count < entryLimit {
            count += 1
            let type = entries.fileAttributes?[.type] as? FileAttributeType
            if type == .typeDirectory, (entry as NSString).lastPathComponent.hasPrefix(".") {
                entries.skipDescendants()
            } else if type == .typeRegular, entry.hasSuffix(".swift") {
                found.append(entry)
            }
        }
        return found.sorted()
    }

    private static func tooLarge(_ input: ImportInput) -> ImportFailure {
        ImportFailure(
            input.path,
            reason: "It has more than \(countLimit) files of Swift, or more than \(sizeLimit >> 20) MiB of them. Name "
                + "the folder of the models.")
    }
}
