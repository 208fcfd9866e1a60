import Foundation

/// A Core Data model in a folder as Xcode saves it.
struct CoreDataBundle {
    struct Version {
        /// As Xcode shows it: `Shop 2`.
        let name: String
        let path: String

        /// The file of the model.
        ///
        /// - Throws: ``ImportFailure`` if it cannot be read.
        func contents() throws(ImportFailure) -> Data {
            if let data = FileManager.default.contents(atPath: path) { return data }
            guard !FileManager.default.fileExists(atPath: path) else {
                throw ImportFailure(path, reason: "It cannot be read. Check its permissions.")
            }
            throw ImportFailure(
                (path as NSString).deletingLastPathComponent,
                reason: "There is no file 'contents' in it. Models of Xcode 3 have 'elements': open it in Xcode, "
                    + "and save it.")
        }
    }

    /// In the order of their names, as numbers are counted.
    let versions: [Version]
    let current: Version
    /// A note that says how the current version was found.
    let choiceNote: ImportNote?

    /// Whether a path is a model, by its name.
    static func isModel(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") || name == "contents"
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
            return Version(name: (folder as NSString).deletingPathExtension, path: path)
        }
        let file = (path as NSString).appendingPathComponent("contents")
        let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        return Version(name: name, path: file)
    }
}
