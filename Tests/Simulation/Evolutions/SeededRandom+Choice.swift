package import TestSupport

extension SeededRandom {
    /// A number of a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// One of these values; `nil` if there are none.
    package mutating func pick<Value>(_ values: [Value]) -> Value? { values.isEmpty ? nil : element(of: values) }

    /// `true` in `percent` of 100 calls on average.
    package mutating func isLikely(_ percent: Int) -> Bool { number(1...100) <= percent }
}
