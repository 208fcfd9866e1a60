import Foundation
import LockstepStore
import TestSupport
import Testing

@testable import LockstepJSON

@Suite("Broken JSON")
struct JSONFuzzTests {
    @Test("N7 A truncated text is rejected at its end", arguments: 0..<20)
    func truncation(seed: UInt64) throws {
        var random = SeededJSON(seed: seed)
        let page = GuardedPages()
        for _ in 0..<10 {
            let bytes = Array("[\(random.text())]".utf8)
            #expect(page.holding(bytes) { syntaxError(in: $0) } == nil)
            for count in bytes.indices {
                let error = page.holding(Array(bytes[..<count])) { syntaxError(in: $0) }
                guard error == JSONSyntaxError(.unexpectedEnd, at: count) else {
                    Issue.record("\(bytes[..<count]): \(String(describing: error))")
                    return
                }
            }
        }
    }

    @Test("N7 A text with changed bytes is read or rejected, and never read past its end", arguments: 0..<40)
    func mutations(seed: UInt64) throws {
        var random = SeededJSON(seed: seed)
        let page = GuardedPages()
        for _ in 0..<150 {
            let bytes = random.broken(Array(random.text().utf8))
            checkAgreement(bytes, page)
        }
    }

    @Test("N7 Random bytes are read or rejected", arguments: 0..<10)
    func noise(seed: UInt64) throws {
        var random = SeededJSON(seed: seed)
        let page = GuardedPages()
        let marks = Array("{}[]:,\"\\u01.eE+-tfn \n".utf8)
        for _ in 0..<600 {
            let count = Int.random(in: 0...24, using: &random.random)
            let isAny = random.random.isOne(in: 3)
            let bytes = (0..<count).map { _ in
                isAny ? UInt8.random(in: 0...255, using: &random.random) : random.random.element(of: marks)
            }
            checkAgreement(bytes, page)
        }
    }

    /// Skipping, reading values and reading the whole record again must have the same result, and so must Foundation
    /// if both follow the RFC.
    private func checkAgreement(_ bytes: [UInt8], _ page: GuardedPages) {
        let skipped = page.holding(bytes) { syntaxError(in: $0) }
        let (read, hasGreatNumber) = page.holding(bytes) { valueError(in: $0) }
        #expect(skipped == read, "\(bytes)")
        #expect((0...bytes.count).contains(skipped?.offset ?? 0), "\(bytes)")
        if isForBoth(bytes, read), !hasGreatNumber {
            #expect(
                (skipped == nil) == isTakenByFoundation(bytes), "\(String(decoding: bytes, as: UTF8.self)) \(bytes)")
        }
    }

    private func valueError(in bytes: UnsafeBufferPointer<UInt8>) -> (JSONSyntaxError?, hasGreatNumber: Bool) {
        var scanner = JSONScanner(bytes)
        do throws(JSONSyntaxError) {
            _ = try JSONValue(&scanner)
            try scanner.finish()
            return (nil, scanner.hasGreatNumber)
        } catch {
            return (error, scanner.hasGreatNumber)
        }
    }

    private func isTakenByFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Foundation differs in these: it guesses UTF-16 and UTF-32 by zero bytes and marks, accepts no number that it
    /// cannot represent, and accepts a comma after an object's last member.
    private func isForBoth(_ bytes: [UInt8], _ error: JSONSyntaxError?) -> Bool {
        let isOneEncoding = !bytes.prefix(4).contains { $0 == 0 || $0 >= 0x80 }
        return isOneEncoding && error?.reason != .byte("}")
    }
}

extension SeededJSON {
    /// A text with something wrong, probably.
    fileprivate mutating func broken(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let marks = Array("{}[]:,\"\\u0.e-tn \n".utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(random.element(of: marks), at: place)
            case 1 where place < bytes.count: bytes[place] = random.element(of: marks)
            case 2 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 1))
            }
        }
        return bytes
    }
}
