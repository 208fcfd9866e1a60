#if SwiftSources
    import Dispatch
    import Foundation

    /// The stack of the thread that parses, in bytes. The parser and the release of its trees call themselves for what
    /// has no brackets, such as `try try try`, which a file can have for each four of its bytes.
    private let stackSize = 1 << 29

    /// Reads the declarations of files.
    func readDeclarations(of files: [SwiftSourceFile]) -> (declarations: [SwiftDeclaration], unread: [SwiftUnread]) {
        nonisolated(unsafe) var found: (declarations: [SwiftDeclaration], unread: [SwiftUnread]) = ([], [])
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            for file in files {
                let (declarations, unread) = SwiftSyntaxReader.declarations(of: file)
                found.declarations += declarations
                found.unread += unread
            }
            isDone.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        isDone.wait()
        return found
    }
#endif
