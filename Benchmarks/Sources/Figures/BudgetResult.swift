/// What was measured of one budget: a line of the file of results.
public struct BudgetResult: Equatable {
    /// Somebody else who does the work today.
    public struct Other: Equatable {
        public let name: String
        public let value: Double

        public init(_ name: String, _ value: Double) { (self.name, self.value) = (name, value) }
    }

    /// The budget's.
    public let name: String
    /// Medians, in seconds or bytes.
    public let lockstep: Double
    public let floor: Double
    public let ratio: Ratio
    public let others: [Other]

    public init(_ budget: Budget, lockstep: Double, floor: Double, ratio: Ratio, others: [Other] = []) {
        (name, self.lockstep, self.floor) = (budget.name, lockstep, floor)
        (self.ratio, self.others) = (ratio, others)
    }

    /// Fields that tabs separate.
    var line: String {
        ([name] + [lockstep, floor, ratio.median, ratio.lowest, ratio.highest].map { "\($0)" }
            + others.flatMap { [$0.name, "\($0.value)"] }).joined(separator: "\t")
    }

    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let numbers = fields.dropFirst().prefix(5).compactMap(Double.init)
        guard numbers.count == 5, fields.count.isMultiple(of: 2) else { return nil }
        name = fields[0]
        (lockstep, floor) = (numbers[0], numbers[1])
        ratio = Ratio(median: numbers[2], lowest: numbers[3], highest: numbers[4])
        var others: [Other] = []
        for place in stride(from: 6, to: fields.count, by: 2) {
            guard let value = Double(fields[place + 1]) else { return nil }
            others.append(Other(fields[place], value))
        }
        self.others = others
    }
}
