package import LockstepEvolution

/// Who reads or writes what the other side writes or reads.
package enum WireDirection: String, Hashable, Sendable, CaseIterable {
    case newAppReadsOldServer = "new app ← old server"
    case oldAppReadsNewServer = "old app ← new server"
    case newAppWritesOldServer = "new app → old server"
    case oldAppWritesNewServer = "old app → new server"

    /// Whether the app is the newer side.
    package var isNewApp: Bool { self == .newAppReadsOldServer || self == .newAppWritesOldServer }

    package var isReading: Bool { self == .newAppReadsOldServer || self == .oldAppReadsNewServer }

    /// Reading or writing, by the newer app or by the older one.
    static func reading(byNewApp isNew: Bool) -> WireDirection { isNew ? .newAppReadsOldServer : .oldAppReadsNewServer }

    static func writing(byNewApp isNew: Bool) -> WireDirection {
        isNew ? .newAppWritesOldServer : .oldAppWritesNewServer
    }
}

/// The consequences of a difference for apps and servers of two versions.
package enum WireLevel: Int, Comparable, Hashable, Sendable {
    /// Both sides understand each other.
    case safe
    /// It depends on the values, or on what the server accepts.
    case dangerous
    /// Requests fail, or records are skipped.
    case breaking

    package static func < (left: WireLevel, right: WireLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The kinds of differences between what two versions send.
package enum WireCode: String, Hashable, Sendable, CaseIterable {
    case keyAdded = "wire-key-added"
    case keyChanged = "wire-key-changed"
    case keyRemoved = "wire-key-removed"
    case formChanged = "wire-form-changed"
    case typeChanged = "wire-type-changed"
    case requiredAdded = "wire-required-added"
    case caseAddedToClosed = "wire-case-added-to-closed"
    case pathChanged = "wire-path-changed"
    case writeAdded = "wire-write-added"
    case writeRemoved = "wire-write-removed"
    case embeddingChanged = "wire-embedding-changed"
}

/// A difference between what two versions of a schema send, in one direction.
package struct WireFinding: Hashable, Sendable {
    package let code: WireCode
    /// The entity or member, by its name in the newer schema; a removed member, by its former name.
    package let path: MemberPath
    package let direction: WireDirection
    package let level: WireLevel
    /// The message with `{older}` and `{newer}` in place of the versions.
    package let text: String
    /// An instruction that solves the problem.
    package let help: String

    /// The message, a sentence without a full stop.
    ///
    /// - Parameters:
    ///   - older: What the older side is called: `version 2`.
    ///   - newer: What the newer side is called.
    package func message(older: String, newer: String) -> String {
        WireText.filled(text, older: older, newer: newer)
    }

    /// The help, with the names of the versions.
    package func help(older: String, newer: String) -> String {
        WireText.filled(help, older: older, newer: newer)
    }
}

private enum WireText {
    static func filled(_ text: String, older: String, newer: String) -> String {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix("{older}") {
                result += older
                rest = rest.dropFirst(7)
            } else if rest.hasPrefix("{newer}") {
                result += newer
                rest = rest.dropFirst(7)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}
