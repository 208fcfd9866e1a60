import Foundation

/// How many seeds a property is tested with: some of them each time, all of them before a release.
public enum Seeds {
    /// Whether all seeds are tried: `ALL_SEEDS=1`, as in `make test-long`.
    public static let areAll = ProcessInfo.processInfo.environment["ALL_SEEDS"] == "1"

    /// The seeds of a property.
    ///
    /// - Parameters:
    ///   - usual: Their number in `make test`.
    ///   - all: All of them; the first ones are the usual ones.
    public static func some<Number: BinaryInteger>(
        _ usual: Int, of all: ClosedRange<Number>
    ) -> ClosedRange<Number> where Number.Stride: SignedInteger {
        areAll ? all : all.lowerBound...min(all.upperBound, all.lowerBound + Number(usual) - 1)
    }
}
