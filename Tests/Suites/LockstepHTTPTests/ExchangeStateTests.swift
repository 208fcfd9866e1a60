import Foundation
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The state of a request")
struct ExchangeStateTests {
    private let start = ContinuousClock.now
    private let timeouts = HTTPTimeouts(responseSeconds: 10, idleSeconds: 30)

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func response(_ fields: [String: String] = [:], _ status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://localhost/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    @Test("The wait for the header starts at the last progress, and sending counts as progress")
    func head() {
        var state = HTTPExchangeState(isHead: false, now: start)
        #expect(state.deadline(timeouts, now: at(1)) == .check(at(10)))
        state.progressed(now: at(9))
        #expect(state.deadline(timeouts, now: at(18)) == .check(at(19)))
        #expect(state.deadline(timeouts, now: at(19)) == .expired(seconds: 10))
    }

    @Test("An interim response is neither the response nor progress", arguments: [100, 101, 102, 103, 199])
    func interim(_ status: Int) throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        state.received(try response([:], status), now: at(9))
        #expect(state.headResult == nil)
        #expect(state.deadline(timeouts, now: at(9)) == .check(at(10)))
        state.received(try response([:], 201), now: at(9))
        #expect(try state.headResult?.get().statusCode == 201)

        var unfinished = HTTPExchangeState(isHead: false, now: start)
        unfinished.completed(try response([:], status), error: nil, request: "POST /")
        #expect(throws: SyncError.self) { try unfinished.headResult?.get() }
    }

    @Test("A stream continues past every timeout while data arrives")
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

    @Test("Time without a reader does not count towards the timeout")
    func nobodyReads() throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        state.received(try response(), now: at(1))
        state.received(Data("x".utf8), now: at(2))
        #expect(state.deadline(timeouts, now: at(500)) == .check(at(530)))
    }

    @Test("Without limits nothing is watched, nor is a finished request")
    func none() throws {
        var state = HTTPExchangeState(isHead: false, now: start)
        #expect(state.deadline(HTTPTimeouts(responseSeconds: nil, idleSeconds: nil), now: at(1)) == .none)
        #expect(state.deadline(HTTPTimeouts(responseSeconds: nil, idleSeconds: 5), now: at(1)) == .check(at(6)))
        let (first, second) = (state.end(with: CancellationError()), state.end(with: CancellationError()))
        #expect(first && !second)
        #expect(state.deadline(timeouts, now: at(1)) == .none)
    }

    @Test("It pauses if much data is unread, and resumes if none is")
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

    @Test("A body shorter than its length is an error even if the session reports success")
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

    @Test("A body can have as many bytes as allowed, and not one more")
    func bodyLimit() throws {
        var state = HTTPExchangeState(isHead: false, limits: HTTPLimits(bodyBytes: 10), now: start)
        state.received(try response())
        let problems = [6, 4, 1].map { state.received(Data(count: $0), request: "GET /")?.code }
        #expect(problems == [nil, nil, .malformed])
        let piece = try state.takePiece()?.get()
        #expect(piece?.count == 10)
    }

    @Test("A slow body fails after a window, however steady it is; a fast one continues without limit")
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

    @Test("Time without a reader does not count as slowness of the server")
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
