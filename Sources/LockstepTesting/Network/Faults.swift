public import Foundation
import LockstepSync

/// How often each fault of a network happens, as a probability from 0 to 1 for one request.
///
/// A request has at most one fault, and possibly a delay in addition.
public struct Faults: Sendable, Hashable {
    /// The request never arrives.
    public var requestLost = 0.0
    /// The server handles the request, and the response never arrives.
    public var responseLost = 0.0
    /// The request arrives twice, one after the other.
    public var duplicated = 0.0
    /// The request arrives twice: the second time after the client has sent other requests.
    public var duplicatedLate = 0.0
    /// The client gives up, and the request arrives afterwards.
    public var late = 0.0
    /// The body of the response is truncated; a stream breaks after some events.
    public var truncated = 0.0
    /// An intermediary responds with 429, 500, 502, 503 or 504, and the request never arrives.
    public var unavailable = 0.0
    /// The server handles the request, and an intermediary responds with 502 or 504.
    public var badGateway = 0.0
    /// A network's sign-in page responds with 200 and HTML, and the request never arrives.
    public var portal = 0.0
    /// The request is delayed.
    public var delayed = 0.0
    /// The length of a delay, by the network's clock.
    public var delaySeconds: ClosedRange<TimeInterval> = 0.01...5
    /// The `Retry-After` of a response that has one, in whole seconds.
    package var retryAfterSeconds: ClosedRange<Int> = 1...30

    public init() {}

    @available(*, deprecated, renamed: "responseLost") public var answerLost: Double {
        get { responseLost }
        set { responseLost = newValue }
    }

    /// A network without faults.
    public static let none = Faults()

    /// A network as in a train: about one request in five fails.
    public static let train = all(0.025)

    /// A network in which about half of the requests fail.
    package static let terrible = all(0.0625)

    /// Every fault with the same probability.
    public static func all(_ probability: Double) -> Faults {
        var faults = Faults()
        for kind in Fault.Kind.allCases { faults[kind] = probability }
        return faults
    }

    /// The probability of a fault.
    package subscript(kind: Fault.Kind) -> Double {
        get { self[keyPath: Self.path(of: kind)] }
        set { self[keyPath: Self.path(of: kind)] = newValue }
    }

    private static func path(of kind: Fault.Kind) -> WritableKeyPath<Faults, Double> {
        switch kind {
        case .requestLost: \.requestLost
        case .responseLost: \.responseLost
        case .duplicated: \.duplicated
        case .duplicatedLate: \.duplicatedLate
        case .late: \.late
        case .truncated: \.truncated
        case .unavailable: \.unavailable
        case .badGateway: \.badGateway
        case .delayed: \.delayed
        case .portal: \.portal
        }
    }
}

/// A fault that happened to a request.
public struct Fault: Sendable, Hashable, CustomStringConvertible {
    public let kind: Kind
    /// The request: `create /entries/7`, `POST /entries`.
    public let request: String

    /// See ``Faults`` for the meaning of each.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case requestLost, responseLost, duplicated, duplicatedLate, late, truncated, unavailable, badGateway, delayed
        case portal

        @available(*, deprecated, renamed: "responseLost") public static var answerLost: Kind { .responseLost }
    }

    /// `responseLost create /entries/7`
    public var description: String { "\(kind.rawValue) \(request)" }
}
