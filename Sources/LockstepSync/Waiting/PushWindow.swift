/// How many requests with changes travel to a remote at the same time (Rules.md, P18).
///
/// A server that cannot process several writes at the same time, such as one with SQLite, responds to most of them with
/// 500, 503 or 429, or not in time. So the number is halved after such a response, and grows by one after a series of
/// others. Source: Chiu and Jain, “Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in
/// Computer Networks”, 1989; TCP does the same (RFC 5681).
struct PushWindow: Sendable {
    /// How many responses in a row it takes to try one more request at a time: a server that can process only one fails
    /// one request in so many.
    static let responsesPerStep = 8

    private let maximum: Int
    /// How many may travel now, at least 1.
    private(set) var limit: Int
    /// How often the limit was halved. Requests that have left before say nothing about the limit since.
    private(set) var halvings = 0
    /// How many responses in a row have not shown that the server is overloaded.
    private var responses = 0

    init(maximum: Int) {
        self.maximum = max(1, maximum)
        limit = self.maximum
    }

    /// Notes the end of a request.
    ///
    /// - Parameters:
    ///   - isOverloaded: Whether it shows that the server is overloaded.
    ///   - departure: ``halvings`` when the request was sent.
    mutating func note(isOverloaded: Bool, since departure: Int) {
        guard departure == halvings else { return }
        if isOverloaded {
            limit = max(1, limit / 2)
            halvings += 1
            responses = 0
            return
        }
        responses += 1
        guard responses >= Self.responsesPerStep, limit < maximum else { return }
        limit += 1
        responses = 0
    }
}
