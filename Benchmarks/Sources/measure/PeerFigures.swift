import CommandArguments
import Figures

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How long `lockstep` takes to generate, beside other generators that are given the same entities. They are no floor
/// and decide no budget: what they generate does less.
struct PeerFigures {
    let lockstep: String
    let floor: String
    let schema: String
    let entities: Int
    /// A folder of our own, in memory where the system has one.
    let work: String
    let runs: Int
    let peers: [(peer: Peer, source: Peer.Source)]
    let process: TimedProcess

    private static let warmUps = 2
    /// Twelve attributes and two relationships.
    private static let fieldsPerEntity = 14

    static let usage = """
        measure peers --lockstep TOOL --floor TOOL --schema FILE --work FOLDER [--entities 1000] [--runs 15] \
        [--protobuf FILE] [--flatbuffers FILE]
        """

    init(_ arguments: CommandArguments) {
        lockstep = arguments.required("lockstep")
        floor = arguments.required("floor")
        schema = arguments.required("schema")
        entities = arguments.number("entities", default: 1000)
        work = arguments.required("work")
        runs = arguments.number("runs", default: 15)
        peers = Peer.all.filter { arguments.has($0.language) }.map {
            ($0, Peer.Source(path: arguments.required($0.language)))
        }
        process = TimedProcess(log: work + "/measure.log")
    }

    func print() {
        Markdown.header([
            "generator", "its time", "processor", "peak memory", "schema", "written", "lockstep", "lockstep : it",
        ])
        for (peer, source) in peers { row(peer, source) }
    }

    private func row(_ peer: Peer, _ source: Peer.Source) {
        let folder = "\(work)/\(peer.language)"
        makeFolder(folder)
        // As when the tool is measured alone, every run writes to a folder that was never there.
        let comparison = Comparison(
            runs: runs, warmUps: Self.warmUps,
            first: { process.run([lockstep, "generate", schema, "--output", "\(folder)/lockstep-\($0)"]) },
            second: {
                makeFolder("\(folder)/\($0)")
                return process.run(peer.command(source, "\(folder)/\($0)"))
            })
        let usages = comparison.second
        Markdown.row([
            peer.name, milliseconds(usages.median(\.wallSeconds)), milliseconds(usages.median(\.processorSeconds)),
            megabytes(usages.median(\.peakMemoryBytes)), megabytes(Double(fileSize(source.path))),
            written(by: peer, to: "\(folder)/0"), milliseconds(comparison.first.median(\.wallSeconds)),
            text(comparison.ratio(\.wallSeconds)),
        ])
    }

    /// How much is in a folder. Ends the process unless every entity and every field was generated.
    private func written(by peer: Peer, to folder: String) -> String {
        let list = "\(folder).list"
        process.run([floor, "list", folder, list])
        let lines = (readText(list) ?? "").split(separator: "\n")
        let paths = lines.map { "\(folder)/\($0.drop { $0 != " " }.dropFirst())" }
        func count(_ mark: String) -> Int { paths.reduce(0) { $0 + lineCount(of: $1, with: mark) } }
        let (types, fields) = (count(peer.typeMark), count(peer.fieldMark))
        guard types == entities, fields == entities * Self.fieldsPerEntity else {
            StandardError.print("error: \(peer.name): \(types) types and \(fields) fields of \(entities) entities")
            exit(1)
        }
        let bytes = paths.reduce(0) { $0 + fileSize($1) }
        return "\(megabytes(Double(bytes))), files: \(paths.count)"
    }

    private func makeFolder(_ path: String) {
        guard mkdir(path, 0o777) == 0 else { fatalError("cannot make \(path)") }
    }

    private func fileSize(_ path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { fatalError("cannot read \(path)") }
        return Int(status.st_size)
    }

    /// Reads line by line, for a child never reports less memory than this process has.
    private func lineCount(of path: String, with mark: String) -> Int {
        guard let file = fopen(path, "r") else { fatalError("cannot read \(path)") }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        var count = 0
        while getline(&line, &capacity, file) > 0 {
            if let line, strstr(line, mark) != nil { count += 1 }
        }
        free(line)
        fclose(file)
        return count
    }
}
