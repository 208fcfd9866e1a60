import Foundation

/// The versions of a model: a folder as Xcode saves it, or the versioned schemas of SwiftData.
struct CoreDataBundle {
    struct Version {
        /// As Xcode shows it: `Shop 2`.
        let name: String
        let path: String
        /// Reads it.
        let model: () throws(ImportFailure) -> CoreDataModel
    }

    /// In their order; for a folder that of their names, as numbers are counted.
    let versions: [Version]
    let current: Version
    /// A note that says how the current version was found.
    let choiceNote: ImportNote?

    /// Whether a path is a model, by its name.
    static func isModel(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") || name == "contents"
    }

    init(versions: [Version], current: Version) {
        (self.versions, self.current, choiceNote) = (versions, current, nil)
    }

    /// - Throws: ``ImportFailure`` if there is no model in it.
    init(at path: String) throws(ImportFailure) {
        guard path.hasSuffix(".xcdatamodeld") else {
            current = try Self.version(at: path)
            versions = [current]
            choiceNote = nil
            return
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var versions: [Version] = []
        for name in names.filter({ $0.hasSuffix(".xcdatamodel") }).sorted(by: Self.isBefore) {
            versions.append(try Self.version(at: (path as NSString).appendingPathComponent(name)))
        }
        guard let last = versions.last else {
            throw ImportFailure(
                path, reason: "There is no .xcdatamodel in it. Name the folder that Xcode shows as the model.")
        }
        self.versions = versions
        let chosen = Self.currentVersion(in: path)
        guard let chosen else {
            current = last
            choiceNote =
                versions.count == 1
                ? nil
                : ImportNote(
                    kind: .decided, location: nil,
                    text: "There is no .xccurrentversion, so the last version is the current one: \(last.name)",
                    help: "For another one, import its .xcdatamodel.")
            return
        }
        guard let found = versions.first(where: { $0.name == chosen }) else {
            throw ImportFailure(
                (path as NSString).appendingPathComponent(".xccurrentversion"),
                reason: "It names '\(chosen).xcdatamodel', which is not there.")
        }
        current = found
        choiceNote = nil
    }

    private static func isBefore(_ one: String, _ other: String) -> Bool {
        let (left, right) = ((one as NSString).deletingPathExtension, (other as NSString).deletingPathExtension)
        return left.compare(right, options: .numeric) == .orderedAscending
    }

    private static func currentVersion(in path: String) -> String? {
        let file = (path as NSString).appendingPathComponent(".xccurrentversion")
        guard let data = FileManager.default.contents(atPath: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let name = list["_XCCurrentVersionName"] as? String
        else { return nil }
        return (name as NSString).deletingPathExtension
    }

    private static func version(at path: String) throws(ImportFailure) -> Version {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportFailure(path, reason: "There is no such file. Check the path.")
        }
        guard isFolder.boolValue else {
            let folder = ((path as NSString).deletingLastPathComponent as NSString).lastPathComponent
            return version(named: (folder as NSString).deletingPathExtension, at: path)
        }
        let file = (path as NSString).appendingPathComponent("contents")
        let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        return version(named: name, at: file)
    }

    private static func version(named name: String, at file: String) -> Version {
        Version(name: name, path: file) { () throws(ImportFailure) in
            if let data = FileManager.default.contents(atPath: file) {
                return try CoreDataReader.model(XMLReader.read(data, path: file), path: file)
            }
            guard !FileManager.default.fileExists(atPath: file) else {
                throw ImportFailure(file, reason: "It cannot be read. Check its permissions.")
            }
            throw ImportFailure(
                (file as NSString).deletingLastPathComponent,
                reason: "There is no file 'contents' in it. Models of Xcode 3 have 'elements': open it in Xcode, "
                    + "and save it.")
        }
    }
}
