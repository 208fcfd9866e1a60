import LockstepEvolution

/// Whether the server or the app of a new version can be released first.
///
/// Apps of the older version remain in use in any case: an app first delays the server until they are not supported
/// any more.
package enum ReleaseOrder: Hashable, Sendable {
    case any
    case serverFirst
    case appFirst
    case neither

    /// - Parameter level: The least level of findings that count.
    package init(_ findings: some Sequence<WireFinding>, from level: WireLevel) {
        let counted = findings.filter { $0.level >= level }
        let newAppFails = counted.contains { $0.direction.isNewApp }
        let oldAppFails = counted.contains { !$0.direction.isNewApp }
        self =
            switch (newAppFails, oldAppFails) {
            case (false, false): .any
            case (true, false): .serverFirst
            case (false, true): .appFirst
            case (true, true): .neither
            }
    }
}

/// The conclusion of a check of what is sent: which order certainly fails, and which may.
package struct ReleaseAdvice: Hashable, Sendable {
    /// The order by the findings that break.
    package let required: ReleaseOrder
    /// The order if the findings that depend on the server or on values count too.
    package let careful: ReleaseOrder

    package init(_ findings: some Sequence<WireFinding>) {
        required = ReleaseOrder(findings, from: .breaking)
        careful = ReleaseOrder(findings, from: .dangerous)
    }

    /// One or two sentences.
    package var text: String {
        switch (required, careful) {
        case (.any, .serverFirst):
            return "Release the server first, unless the older one accepts and keeps what newer apps send."
        case (.any, .appFirst):
            return """
                Release the app first, and the server when no older app is supported, unless the server accepts and \
                keeps what older apps send.
                """
        case (_, .neither) where required != .neither:
            return Self.text(required) + " Check what the warnings say of the server and of the values."
        default: return Self.text(required)
        }
    }

    private static func text(_ order: ReleaseOrder) -> String {
        switch order {
        case .any: "The server and the app can be released in any order."
        case .serverFirst: "Release the server first."
        case .appFirst: "Release the app first, and the server when no older app is supported."
        case .neither:
            "Neither order is safe: the older app fails with the new server, and the new app with the old one."
        }
    }
}
