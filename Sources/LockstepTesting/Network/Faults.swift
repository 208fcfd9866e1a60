public import Foundation
import LockstepSync

/// How often a network misbehaves, each as a probability from 0 to 1 for one request.
///
/// At most one thing happens to a request, and a delay besides.
public struct Faults: Sendable, Hashable {
    /// The request never arrives.
    public var requestLost = 0.0
    /// The server does what was asked, and the answer never comes.
    public var answerLost = 0.0
    /// The request arrives twice, one after the other.
    public var duplicated = 0.0
    /// The request arrives twice: the second time when the client has gone on to other things.
    public var duplicatedLate = 0.0
    /// The client gives up, and the request arrives afterwards.
    public var late = 0.0
    /// The answer's body breaks off; a stream breaks after some events.
    public var truncated = 0.0
    /// Something in between answers with 429, 500, 502, 503 or 504, and the request never arrives.
    public var unavailable = 0.0
    /// The server does what was asked, and something in between answers with 502 or 504.
    public var badGateway = 0.0
    /// A network's sign-in page stands in between: it answers 200 with HTML, and the request never arrives.
    public var portal = 0.0
    /// The request waits before it goes on.
    public var delayed = 0.0
    /// How long, by the network's clock.
    public var delaySeconds: ClosedRange<TimeInterval> = 0.01...5
    /// How long a server says to wait, in whole seconds, where it says so.
    public var retryAfterSeconds: ClosedRange<Int> = 1...30

    public init() {}

    /// A network without faults.
    public static let none = Faults()

    /// A network as people have it in a train: about one request in five fails somehow.
    public static let train = all(0.025)

    /// A network that lets half of the requests through.
    public static let terrible = all(0.0625)

    /// Every fault with the same probability.
    public static func all(_ probability: Double) -> Faults {
        var faults = Faults()
        for kind in Fault.Kind.allCases { faults[kind] = probability }
        return faults
    }

    /// The probability of a fault.
    public subscript(kind: Fault.Kind) -> Double {
        get { self[keyPath: Self.path(of: kind)] }
        set { self[keyPath: Self.path(of: kind)] = newValue }
    }

    private static func path(of kind: Fault.Kind) -> WritableKeyPath<Faults, Double> {
        switch kind {
        case .requestLost: \.requestLost
        case .answerLost: \.answerLost
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

/// Something that a network did to a request.
public struct Fault: Sendable, Hashable, CustomStringConvertible {
    public let kind: Kind
    /// The request: `create /entries/7`, `POST /entries`.
    public let request: String

    /// See ``Faults`` for what each means.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case requestLost, answerLost, duplicated, duplicatedLate, late, truncated, unavailable, badGateway, delayed
        case portal
    }

    /// `answerLost create /entries/7`
    public var description: String { "\(kind.rawValue) \(request)" }
}
