import Foundation
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("How far a request has come")
struct ExchangeStateTests {
    private let start = ContinuousClock.now
    private let timeouts = HTTPTimeouts(answerSeconds: 10, idleSeconds: 30)

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func response(_ fields: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://localhost/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    @Test("It waits for the head from the last progress on, and sending is progress")
    func head() {
        var state = HTTPExchangeState(isHead: false, now: start)
        #expect(state.deadline(timeouts, now: at(1)) == .check(at(10)))
        state.progressed(now: at(9))
        #expect(state.deadline(timeouts, now: at(18)) == .check(at(19)))
        #expect(state.deadline(timeouts, now: at(19)) == .expired(seconds: 10))
    }

    @Test("A stream goes on for as long as something comes, past every timeout")
    func keepAlives() throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        state.received(try response(), now: at(1))
        for index in 0..<100 {
            let now = Double(index) * 29 + 2
            state.startWaiting(now: at(now))
            #expect(state.deadline(timeouts, now: at(now + 28)) == .check(at(now + 30)))
            state.received(Data(": keep-alive\n".utf8), now: at(now + 28))
            let piece = try state.takePiece()?.get()
            #expect(piece == Data(": keep-alive\n".utf8))
        }
        state.startWaiting(now: at(5000))
        #expect(state.deadline(timeouts, now: at(5030)) == .expired(seconds: 30))
    }

    @Test("Time in which nobody reads does not count, and is looked at again")
    func nobodyReads() throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        state.received(try response(), now: at(1))
        state.received(Data("x".utf8), now: at(2))
        #expect(state.deadline(timeouts, now: at(500)) == .check(at(530)))
    }

    @Test("Without limits nothing is watched; what is over is not either")
    func none() throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        #expect(state.deadline(HTTPTimeouts(answerSeconds: nil, idleSeconds: nil), now: at(1)) == .none)
        #expect(state.deadline(HTTPTimeouts(answerSeconds: nil, idleSeconds: 5), now: at(1)) == .check(at(6)))
        let (first, second) = (state.end(with: CancellationError()), state.end(with: CancellationError()))
        #expect(first && !second)
        #expect(state.deadline(timeouts, now: at(1)) == .none)
    }

    @Test("It pauses where a lot is unread, and goes on where nothing is")
    func flow() throws {
        var state = HTTPExchangeState(isHead: false)
        state.received(try response())
        state.received(Data(count: HTTPExchangeState.fullBytes - 1))
        var changes = [state.isFlowChanging()]
        state.received(Data(count: 1))
        changes += [state.isFlowChanging(), state.isPaused, state.isFlowChanging()]
        let piece = try state.takePiece()?.get()
        #expect(piece?.count == HTTPExchangeState.fullBytes)
        changes += [state.isFlowChanging(), state.isPaused]
        #expect(changes == [false, true, true, false, true, false])
    }

    @Test("A body that is shorter than its length is an error even where the session says that all is well")
    func short() throws {
        for (fields, isHead, isWhole) in [
            (["Content-Length": "3"], false, false) as ([String: String], Bool, Bool),
            (["Content-Length": "2"], false, true), ([:], false, true),
            (["Content-Length": "3"], true, true), (["Content-Length": "3", "Content-Encoding": "gzip"], false, true),
        ] {
            var state = HTTPExchangeState(isHead: isHead)
            state.received(try response(fields))
            if !isHead { state.received(Data("ab".utf8)) }
            state.completed(nil, error: nil, request: "GET /")
            let piece = isHead ? nil : try state.takePiece()?.get()
            #expect(piece == (isHead ? nil : Data("ab".utf8)))
            let end = Result { try state.takePiece()?.get() }
            if isWhole { #expect(throws: Never.self) { try end.get() } }
            if !isWhole { #expect(throws: SyncError.self) { try end.get() } }
        }
    }

    @Test("A body has as many bytes as are allowed and not one more")
    func bodyLimit() throws {
        var state = HTTPExchangeState(isHead: false, limits: HTTPLimits(bodyBytes: 10), now: start)
        state.received(try response())
        let problems = [6, 4, 1].map { state.received(Data(count: $0), request: "GET /")?.code }
        #expect(problems == [nil, nil, .malformed])
        let piece = try state.takePiece()?.get()
        #expect(piece?.count == 10)
    }

    @Test("A drip is too slow after a window, however steady it is; what is fast enough goes on for ever")
    func speed() throws {
        let limits = HTTPLimits(leastBytesPerSecond: 10, speedWindowSeconds: 60)
        for (bytesPerSecond, isSlow) in [(9, true), (10, false), (1000, false)] {
            var state = HTTPExchangeState(isHead: false, limits: limits, now: start)
            state.received(try response(), now: start)
            var looks: [BodySpeed.Look] = []
            for second in 0..<600 {
                state.startWaiting(now: at(Double(second)))
                state.received(Data(count: bytesPerSecond), now: at(Double(second + 1)))
                _ = state.takePiece(now: at(Double(second + 1)))
                looks.append(state.lookAtSpeed(now: at(Double(second + 1))))
            }
            #expect(looks.contains(.tooSlow) == isSlow)
            #expect(looks.firstIndex(of: .tooSlow) == (isSlow ? 59 : nil))
        }
    }

    @Test("Time in which nobody reads does not make a server slow")
    func slowReader() throws {
        let limits = HTTPLimits(leastBytesPerSecond: 10, speedWindowSeconds: 60)
        var state = HTTPExchangeState(isHead: false, limits: limits, now: start)
        state.received(try response(), now: start)
        var looks: [BodySpeed.Look] = []
        for hour in 0..<100 {
            let now = Double(hour) * 3600
            state.startWaiting(now: at(now))
            state.received(Data(count: 20), now: at(now + 1))
            _ = state.takePiece(now: at(now + 1))
            looks.append(state.lookAtSpeed(now: at(now + 3600)))
        }
        #expect(!looks.contains(.tooSlow))
    }
}
