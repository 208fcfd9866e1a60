import Foundation

/// The states of files, which show whether files have changed without reading them.
package struct FileStates: Hashable, Sendable {
    /// By path; a file that does not exist has none.
    private var states: [String: State] = [:]

    private struct State: Hashable, Sendable {
        var modified: Date?
        var size: UInt64?
        /// Changes if another file takes its place.
        var number: UInt64?
    }

    /// The paths of the manifests in an output folder: one for each schema that was generated.
    package static func manifests(in output: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        return names.map { "\(output)/\($0)/\(Manifest.fileName)" }
    }

    /// The states now of all files in an output folder.
    package init(ofFilesIn output: String) {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: output)) ?? []
        let prefix = output.hasSuffix("/") ? output : output + "/"
        self.init(of: names.map { prefix + $0 })
    }

    /// The states of these files only, with those of others.
    package func only(_ paths: [String], and others: FileStates) -> FileStates {
        let paths = Set(paths)
        var result = others
        result.states.merge(states.filter { paths.contains($0.key) }) { _, own in own }
        return result
    }

    /// The state of these files now. That of a folder does not include its files.
    package init(of paths: [String]) {
        for path in paths {
            let link = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: link) else { continue }
            states[path] = State(
                modified: attributes[.modificationDate] as? Date,
                size: (attributes[.size] as? NSNumber)?.uint64Value,
                number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value)
        }
    }
}
