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
#endif
