import Foundation

/// Changes random schemas and follows them with files, by seed: `workbench evolutions SEED COUNT [--versions 12] [--only files]`.
///
/// With `--tell`, the changes of each history are printed.
struct Evolutions {
    var first: UInt64 = 1
    var count: UInt64 = 1_000
    var versions = 12
    var tellsAll = false
    var properties: [Property] = Property.allCases

    enum Property: String, CaseIterable {
        /// The changes between two structures make one from the other.
        case changes
        /// Structures are the same in every form.
        case forms
        /// A file that skips versions is equal to one that follows each.
        case files
    }

    static func main(_ arguments: ArraySlice<String>) {
        let evolutions = Evolutions(arguments)
        exit(evolutions.run() == 0 ? 0 : 1)
    }

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        var numbers: [UInt64] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--versions": versions = rest.popFirst().flatMap { Int($0) } ?? versions
            case "--tell": tellsAll = true
            case "--only":
                guard let property = rest.popFirst().flatMap(Property.init(rawValue:)) else {
                    Self.fail("--only takes one of \(Property.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                properties = [property]
            default:
                guard let number = UInt64(argument) else { Self.fail("\(argument) is no number") }
                numbers.append(number)
            }
        }
        if let number = numbers.first { first = number }
        if numbers.count > 1 { count = numbers[1] }
    }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("evolutions: \(reason)\n".utf8))
        exit(2)
    }

    /// - Returns: How many failed.
    private func run() -> Int {
        var failures = 0
        let start = Date()
        for property in properties {
            var failed: [UInt64] = []
            let begin = Date()
            for seed in first..<(first + count) {
                do { try check(property, seed) } catch {
                    failed.append(seed)
                    print("\(property.rawValue), \(error)")
                }
            }
            failures += failed.count
            let seconds = Date().timeIntervalSince(begin)
            print(
                "\(property.rawValue): \(Int(count) - failed.count) passed, \(failed.count) failed,",
                String(format: "%.1f s", seconds))
        }
        let passed = Int(count) * properties.count - failures
        print("\(passed) passed, \(failures) failed", String(format: "in %.0f s", Date().timeIntervalSince(start)))
        return failures
    }

    private func check(_ property: Property, _ seed: UInt64) throws {
        switch property {
        case .changes: try DiffProperty.check(seed: seed)
        case .forms: try FormProperty.check(seed: seed)
        case .files:
            if tellsAll { print(try EvolutionProperty.text(seed: seed, versions: versions)) }
            let plan = try EvolutionProperty.check(seed: seed, versions: versions)
            if tellsAll { print("seed \(seed): \(plan)") }
        }
    }
}
