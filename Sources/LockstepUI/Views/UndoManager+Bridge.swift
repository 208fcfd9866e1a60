#if canImport(SwiftUI)
    public import Foundation
    public import LockstepStore
    public import SwiftUI

    extension UndoBridge {
        /// Connects the history of a context of the main actor to an undo manager, until ``disconnect()``.
        public convenience init(_ history: UndoHistory, to manager: UndoManager) {
            self.init(history, to: manager as any UndoActions)
        }
    }

    extension UndoManager: UndoActions {
        func register(
            of bridge: UndoBridge, named name: String?, _ action: @escaping @MainActor (UndoBridge) -> Void
        ) {
            // The manager has no strong reference to a target. The action has one.
            registerUndo(withTarget: bridge) { _ in MainActor.assumeIsolated { action(bridge) } }
            if let name { setActionName(name) }
        }

        func removeActions(of bridge: UndoBridge) { removeAllActions(withTarget: bridge) }
    }

    extension View {
        /// Makes the undo manager of the view's window or scene undo and redo the steps of a history, as long as the
        /// view is on screen. The user can use the menu, the keyboard, a shake or a gesture. If the view gets another
        /// history, the manager undoes the steps of that one only.
        ///
        /// ```swift
        /// EntryForm(entry: entry).undoHistory(store.mainContext.enableUndo())
        /// ```
        public func undoHistory(_ history: UndoHistory?) -> some View { modifier(UndoModifier(history: history)) }
    }

    private struct UndoModifier: ViewModifier {
        let history: UndoHistory?
        @Environment(\.undoManager) private var manager
        @State private var connection = UndoConnection()

        func body(content: Content) -> some View {
            content
                .onAppear { connection.appear(history, actions: manager) }
                .onChange(of: [history.map { ObjectIdentifier($0) }, manager.map { ObjectIdentifier($0) }]) {
                    connection.follow(history, actions: manager)
                }
                .onDisappear { connection.disappear() }
        }
    }
#endif
