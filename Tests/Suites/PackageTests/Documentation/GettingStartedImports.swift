// The beginning of the program of GettingStarted.md, in its own file, since imports are at the top of one.

// snippet
import Foundation
import LockstepStore
import LockstepSync

let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
// end
