/// Does something again whenever the state of something, usually of files, has changed.
///
/// It asks for the state again and again, which works with every file system and editor. A change that is made while
/// the action runs is seen after it. What the action itself writes is not a change.
package struct FileWatch<State: Equatable> {
    private let state: () -> State
    private let output: () -> State
    private let pause: () -> Bool

    /// - Parameters:
    ///   - state: The state now of what the action reads.
    ///   - output: The state now of what the action writes.
    ///   - pause: Waits a moment; `false` ends the watch.
    package init(state: @escaping () -> State, output: @escaping () -> State, pause: @escaping () -> Bool) {
        self.state = state
        self.output = output
        self.pause = pause
    }

    /// Acts at once, and then after each change, until the watch ends or the action throws.
    ///
    /// Editors write a file in several steps: the action waits until nothing has changed for one pause.
    ///
    /// - Parameter action: Returns the state of what it writes, as it has left or read it. Whatever others do after
    ///   that is a change, even before the action ends.
    package func run(_ action: () throws -> State) rethrows {
        var known = try acting(after: state(), action)
        var last = known
        while pause() {
            let current = [state(), output()]
            if current != known, current == last { known = try acting(after: current[0], action) }
            last = current
        }
    }

    /// Acts, and returns the states of which the action knows.
    private func acting(after state: State, _ action: () throws -> State) rethrows -> [State] { [state, try action()] }
}
