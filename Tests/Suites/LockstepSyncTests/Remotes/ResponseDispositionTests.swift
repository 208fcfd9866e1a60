import Foundation
import HTTPTypes
import LockstepSync
import Testing

@Suite("The meaning of statuses, dates and addresses")
struct ResponseDispositionTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    @Test("P6 P7 P8 P9 P13 P17 C4 Each status has one meaning, and what is no status rejects nothing")
    func statuses() {
        for status in 0..<1000 {
            let meaning = ResponseDisposition(HTTPResponse(status: .init(code: status)), now: now)
            let expected: ResponseDisposition =
                switch status {
                case ..<100, 600...: .unavailable(retryAfter: nil)
                case ..<200, 206: .inconclusive
                case ..<300: .success
                case 304: .notModified
                case 401: .unauthorized
                case 404, 410: .absent
                case 412: .outdated
                case 426: .updateNeeded
                case 300..<400: .inconclusive
                case 407, 408, 425, 429, 500...: .unavailable(retryAfter: nil)
                default: .refused
                }
            #expect(meaning == expected, "\(status)")
        }
    }

    @Test(
        "P7.9 Retry-After is seconds or a date; anything else is ignored",
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:39 1994", 2), ("", nil), ("-5", nil),
            ("9999999", 86_400),
            ("1.5", nil), ("soon", nil), ("٣", nil),
        ] as [(String, TimeInterval?)])
    func retryAfter(_ field: String, _ seconds: TimeInterval?) {
        let response = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: field])
        #expect(ResponseDisposition(response, now: now) == .unavailable(retryAfter: seconds))
    }
}
