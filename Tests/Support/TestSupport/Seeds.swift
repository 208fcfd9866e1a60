import Foundation

/// How many seeds a property is tested with: some of them each time, all of them before a release.
public enum Seeds {
    /// How many of 1,000 seeds are tried: `SEEDS`, as in `make test-long`.
    private static let share = ProcessInfo.processInfo.environment["SEEDS"].flatMap { Int($0) } ?? 0

    /// The number of seeds of a property.
    ///
    /// - Parameters:
    ///   - usual: Their number in `make test`.
    ///   - all: Their number before a release.
    public static func count(_ usual: Int, of all: Int) -> Int { min(all, max(usual, all * share / 1_000)) }

    /// The seeds of a property.
    ///
    /// - Parameters:
    ///   - usual: Their number in `make test`.
    ///   - all: All of them; the first ones are the usual ones.
    public static func some<Number: BinaryInteger>(
        _ usual: Int, of all: ClosedRange<Number>
    ) -> ClosedRange<Number> where Number.Stride: SignedInteger {
        all.lowerBound...all.lowerBound + Number(count(usual, of: Int(all.upperBound - all.lowerBound) + 1) - 1)
    }
}
