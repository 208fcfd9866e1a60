import Foundation

/// How many seeds a property is tested with: a few each time, more of them before a release.
///
/// `SEEDS` says how many, as a part of 1,000: `SEEDS=1000` are all, `SEEDS=100000` a hundred times as many of those that
/// are only counted. It is one number for all properties, since their seeds differ in what they cost.
public enum Seeds {
    private static let share = ProcessInfo.processInfo.environment["SEEDS"].flatMap { Int($0) } ?? 0

    /// The number of seeds of a property that any seed can be tried with.
    ///
    /// - Parameters:
    ///   - usual: Their number in `make test`.
    ///   - all: Their number before a release.
    public static func count(_ usual: Int, of all: Int) -> Int { max(usual, all * share / 1_000) }

    /// The seeds of a property.
    ///
    /// - Parameters:
    ///   - usual: Their number in `make test`.
    ///   - all: All of them; the first ones are the usual ones.
    public static func some<Number: BinaryInteger>(
        _ usual: Int, of all: ClosedRange<Number>
    ) -> ClosedRange<Number> where Number.Stride: SignedInteger {
        let limit = Int(all.upperBound - all.lowerBound) + 1
        return all.lowerBound...all.lowerBound + Number(min(limit, count(usual, of: limit)) - 1)
    }
}
