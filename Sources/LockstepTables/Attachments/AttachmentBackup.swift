package import Foundation
import LockstepSystem

/// Which of the files a backup of the device leaves out.
///
/// On Apple platforms, what can be downloaded again must not be in a backup, and an attribute of each file says so. A
/// file that no server is known to have is always in it. Elsewhere, the attribute does not exist.
package struct AttachmentBackup: Sendable {
    /// Whether files that can be downloaded again are left out.
    package var excludesDownloadable = true
    /// Sets the attribute of a file.
    package var exclude: @Sendable (_ file: URL, _ isExcluded: Bool) -> Void = { file, isExcluded in
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcluded
        var file = file
        // A file system without attributes has no backups to be excluded from.
        try? file.setResourceValues(values)
    }

    package init() {}
}

extension AttachmentFiles {
    /// A server has the bytes of a file, or is not known to have them any more.
    package func note(_ hash: String, isOnServer: Bool) {
        guard AttachmentReference.hash(hash) != nil else { return }
        let backup = backup.withLock(\.self)
        backup.exclude(folder.appendingPathComponent(hash), isOnServer && backup.excludesDownloadable)
    }

    /// Notes for all files whether a server has them.
    ///
    /// - Parameter hashes: The hashes of bytes that servers are known to have.
    package func note(onServers hashes: Set<String>) throws {
        for name in try opened()?.names ?? [] where AttachmentReference.hash(name) != nil {
            note(name, isOnServer: hashes.contains(name))
        }
    }
}
