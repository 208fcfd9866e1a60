/// Prints the rows of a table as they come, so that a long run shows how far it is.
public enum Markdown {
    public static func header(_ columns: [String]) {
        row(columns)
        row(columns.enumerated().map { $0.offset == 0 ? "---" : "---:" })
    }

    public static func row(_ cells: [String]) {
        print("| " + cells.joined(separator: " | ") + " |")
    }
}

/// A number with `digits` digits behind the point.
public func fixed(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value.magnitude * scale).rounded())
    let whole = String(scaled / Int(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + whole }
    let fraction = String(scaled % Int(scale))
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
}

public func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, 1) + " ms" }
public func megabytes(_ bytes: Double) -> String { fixed(bytes / 1_048_576, 1) + " MB" }

/// `2.61× (2.48–2.90)`: the median and the range.
public func text(_ ratio: Ratio) -> String {
    "\(fixed(ratio.median, 2))× (\(fixed(ratio.lowest, 2))–\(fixed(ratio.highest, 2)))"
}

/// `≤ 3×: met`.
public func text(_ ratio: Ratio, limit: Double?) -> String {
    guard let limit else { return "" }
    return "≤ \(times(limit)): " + verdict(ratio.median <= limit)
}

/// `1.25×`, `3×`
public func times(_ ratio: Double) -> String { fixed(ratio, ratio == ratio.rounded() ? 0 : 2) + "×" }

public func verdict(_ isKept: Bool) -> String { isKept ? "met" : "**missed**" }

/// In milliseconds, or microseconds where that says more.
public func duration(_ seconds: Double) -> String {
    seconds < 0.000_999_5 ? fixed(seconds * 1_000_000, 2) + " µs" : milliseconds(seconds)
}
