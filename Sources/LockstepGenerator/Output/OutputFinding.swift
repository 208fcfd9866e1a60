/// One difference between the output folder and what it should be.
public struct OutputFinding: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// The file is an earlier run's.
        case stale
        case missing
        /// A person changed it since an earlier run wrote it.
        case edited
        /// An earlier run wrote it; it is not wanted any more.
        case orphaned
        /// The file is not one of lockstep's.
        case notGenerated
        /// A run was killed that wrote there. The next one finishes it, or takes away what it has left; the other
        /// findings are of the folder as it is then.
        case interrupted
    }

    public var kind: Kind
    /// The path inside the output folder.
    public var path: String
    /// What is there; `nil` for nothing.
    public var current: [UInt8]?
    /// What should be there; `nil` for nothing.
    public var wanted: [UInt8]?

    /// The way from what is there to what should be, as a unified diff that `patch -p1` takes.
    ///
    /// - Parameter folder: the output folder, as the paths in the diff's heading name it; empty for paths inside it.
    /// - Returns: The diff; empty where nothing is there and nothing should be.
    public func diff(in folder: String = "") -> String {
        if current == nil && wanted == nil { return "" }
        let path = OutputPath.joined(folder, path)
        let label = path.hasPrefix("/") ? path : "/" + path
        return unifiedDiff(
            old: current ?? [], new: wanted ?? [], oldLabel: current == nil ? "/dev/null" : "a" + label,
            newLabel: wanted == nil ? "/dev/null" : "b" + label
        )
    }
}
