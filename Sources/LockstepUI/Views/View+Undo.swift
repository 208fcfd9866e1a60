#if canImport(SwiftUI)
    public import LockstepStore
    public import SwiftUI

    extension View {
        /// Makes the undo manager of the view's window or scene undo and redo the steps of a history, as long as the
        /// view is on screen: by the menu, the keyboard, a shake and the gestures.
        ///
        /// ```swift
        /// EntryForm(entry: entry).undoHistory(store.mainContext.enableUndo())
        /// ```
        public func undoHistory(_ history: UndoHistory?) -> some View { modifier(UndoModifier(history: history)) }
    }

    private struct UndoModifier: ViewModifier {
        let history: UndoHistory?
        @Environment(\.undoManager) private var manager
        @State private var bridge: UndoBridge?

        func body(content: Content) -> some View {
            content
                .onChange(of: manager.map { ObjectIdentifier($0) }, initial: true) { connect() }
                .onDisappear { disconnect() }
        }

        private func connect() {
            disconnect()
            if let history, let manager { bridge = UndoBridge(history, to: manager) }
        }

        private func disconnect() {
            bridge?.disconnect()
            bridge = nil
        }
    }
#endif
