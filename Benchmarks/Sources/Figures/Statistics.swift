/// The middle of `values`, the mean of the two in the middle where their count is even; they must not be empty.
public func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// A ratio measured pair by pair: two processes that ran one after the other met the same machine.
public struct Ratio: Equatable {
    public let median: Double
    public let lowest: Double
    public let highest: Double

    init(median: Double, lowest: Double, highest: Double) {
        (self.median, self.lowest, self.highest) = (median, lowest, highest)
    }

    public init(_ values: [Double], to floors: [Double]) {
        let ratios = zip(values, floors).map { $0 / $1 }
        median = Figures.median(ratios)
        lowest = ratios.min() ?? .nan
        highest = ratios.max() ?? .nan
    }
}
