/// Does something again whenever the state of something, usually of files, has changed.
///
/// It asks for the state again and again, which works with every file system and editor. A change that is made while
/// the action runs is seen after it.
package struct FileWatch<State: Equatable> {
    private let state: () -> State
    private let pause: () -> Bool

    /// - Parameters:
    ///   - state: The state now.
    ///   - pause: Waits a moment; `false` ends the watch.
    package init(state: @escaping () -> State, pause: @escaping () -> Bool) {
        self.state = state
        self.pause = pause
    }

    /// Acts at once, and then after each change, until the watch ends or the action throws.
    ///
    /// Editors write a file in several steps: the action waits until nothing has changed for one pause.
    package func run(_ action: () throws -> Void) rethrows {
        var known = state()
        var last = known
        try action()
        while pause() {
            let current = state()
            if current != known, current == last {
                known = current
                try action()
            }
            last = current
        }
    }
}
