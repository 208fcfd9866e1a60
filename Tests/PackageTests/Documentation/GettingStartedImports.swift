// How the program of GettingStarted.md begins. It has a file of its own, since imports stand at the top of one.

// snippet
import Foundation
import LockstepStore
import LockstepSync

let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
// end
