import LockstepEvolution

/// The output folder when it was read, with everything that a plan needs from the disk.
package struct OutputSnapshot: Sendable {
    /// The file at a path.
    enum DiskFile: Hashable, Sendable {
        case contents([UInt8])
        /// Something that lockstep never writes: a link, a pipe.
        case other
    }

    /// The text of each schema folder's manifest, by folder; `nil` if it has none.
    var manifestTexts: [String: [UInt8]?] = [:]
    /// The parsed manifests.
    var manifests: [String: Manifest] = [:]
    /// The file at each path that may be part of the plan; no element for a path without a file.
    var files: [String: DiskFile] = [:]

    init() {}
}
