import Foundation
@testable import LockstepStore
import Testing
import TestSupport

@Suite("Sums that lose nothing")
struct ExactSumTests {
    private func sum(_ digits: String...) -> String {
        var sum = ExactSum()
        for text in digits {
            let isAdded = sum.add(digits: text)
            #expect(isAdded, "\(text)")
        }
        return sum.text
    }

    @Test("Digits stand where they stood")
    func digits() {
        #expect(sum() == "0")
        #expect(sum("0.05", "0.95") == "1")
        #expect(sum("-0.05", "0.04") == "-0.01")
        #expect(sum("999999999", "1") == "1000000000")
        #expect(sum("-999999999.999999999", "-0.000000001") == "-1000000000")
        #expect(
            sum("1000000000000000000000000000000", "-0.000000000000000000000000000001")
                == "999999999999999999999999999999.999999999999999999999999999999")
        #expect(sum("5", "-5", "-0") == "0")
        let tiny = "0." + String(repeating: "0", count: 126) + "12"
        #expect(sum(tiny) == tiny)
        let huge = "7" + String(repeating: "0", count: 160) + "1"
        #expect(sum(huge, "-" + huge, huge) == huge)
    }

    @Test(
        "What is no plain number is refused and adds nothing",
        arguments: [
            "", "-", ".", "1.", ".5", "1e3", "+1", "1 ", "--1", "1.2.3", "0x1", "١",
        ])
    func refused(_ text: String) {
        var sum = ExactSum()
        let isAdded = sum.add(digits: text)
        #expect(!isAdded)
        #expect(sum.text == "0")
    }

    @Test("Seeded numbers agree with Decimal, in any order", arguments: UInt64(1)...30)
    func property(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let numbers = (0..<200).map { _ -> Decimal in
            let significand = Int64.random(in: .min ... .max, using: &random)
            let places = Int.random(in: 0...12, using: &random)
            return Decimal(significand) / Decimal(sign: .plus, exponent: places, significand: 1)
        }
        var forth = ExactSum()
        var back = ExactSum()
        for number in numbers { _ = forth.add(digits: number.storedText ?? "") }
        for number in numbers.reversed() { _ = back.add(digits: number.storedText ?? "") }
        #expect(forth.text == back.text)
        #expect(forth.text == numbers.reduce(0, +).storedText)
    }

    @Test("Whole numbers to the ends of 64 bits, and back")
    func wholeNumbers() {
        var sum = ExactSum()
        for number in [Int64.max, .max, .min, .min, 1, 1_000_000_000, -999_999_999] { sum.add(number) }
        #expect(sum.text == "0")
        sum.add(.min)
        sum.add(.min)
        #expect(sum.text == "-18446744073709551616")
    }

    @Test("Doubles keep what is small beside what is great")
    func doubles() {
        var sum = CompensatedSum()
        for number in [1, 1e100, 1, -1e100] { sum.add(number) }
        #expect(sum.value == 2)
        var great = CompensatedSum()
        for _ in 0..<3 { great.add(1e308) }
        #expect(great.value == .infinity)
    }
}
