/// A difference between the output folder and the expected output.
package struct OutputFinding: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The file is from an earlier run.
        case stale
        case missing
        /// A person changed the file since an earlier run wrote it.
        case edited
        /// An earlier run wrote the file, but it is not part of the output any more.
        case orphaned
        /// The file was not written by lockstep.
        case notGenerated
    }

    package var kind: Kind
    /// The path in the output folder.
    package var path: String
    /// The existing contents; `nil` if there are none.
    package var current: [UInt8]?
    /// The expected contents; `nil` if there should be none.
    package var wanted: [UInt8]?

    /// The difference between the existing and the expected contents, as a unified diff for `patch -p1`.
    ///
    /// - Parameter folder: The output folder in the paths of the diff's header; empty for paths in it.
    /// - Returns: The diff; empty if nothing exists and nothing should exist.
    package func diff(in folder: String = "") -> String {
        if current == nil && wanted == nil { return "" }
        let path = OutputPath.joined(folder, rest: path)
        let label = path.hasPrefix("/") ? path : "/" + path
        return unifiedDiff(
            old: current ?? [], new: wanted ?? [], oldLabel: current == nil ? "/dev/null" : "a" + label,
            newLabel: wanted == nil ? "/dev/null" : "b" + label
        )
    }
}
