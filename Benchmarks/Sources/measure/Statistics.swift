/// The middle of `values`, the mean of the two in the middle where their count is even; they must not be empty.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// A ratio measured pair by pair: two processes that ran one after the other met the same machine.
struct Ratio {
    let median: Double
    let lowest: Double
    let highest: Double

    init(_ values: [Double], to floors: [Double]) {
        let ratios = zip(values, floors).map { $0 / $1 }
        median = measure.median(ratios)
        lowest = ratios.min() ?? .nan
        highest = ratios.max() ?? .nan
    }
}
