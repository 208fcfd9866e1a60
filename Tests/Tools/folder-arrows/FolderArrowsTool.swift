import FolderArrows
import Foundation

/// Prints which folders of a module use which: `folder-arrows [MODULE…]`. Its exit status is 1 if there is a cycle.
@main
struct FolderArrowsTool {
    static func main() throws {
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let check = try FolderCheck(Array(CommandLine.arguments.dropFirst()), of: package)
        FileHandle.standardOutput.write(Data(check.text.utf8))
        exit(check.modulesWithCycles.isEmpty ? 0 : 1)
    }
}
