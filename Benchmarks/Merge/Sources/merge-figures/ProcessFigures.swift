import Archive
import CFloorBase
import CMergeFloor
import Contests
import Figures
import Foundation
import LockstepStore
import LockstepSync

/// What a merge needs of memory, and a long one of time: each in a process of its own.
struct ProcessFigures {
    let workplace: Workplace
    let count: Int

    private static let moreBytes: Double = {
        guard case .moreBytes(let bytes) = Budget.memory.limit else { fatalError("no budget in bytes") }
        return bytes
    }()

    func print(_ wanted: Set<String>) throws {
        Markdown.header(["in a process of its own", "payload", "before", "peak", "more", "budget", "for one record"])
        let payload = workplace.folder.appendingPathComponent("payload.json")
        try Payloads.articles(count).write(to: payload)
        if wanted.contains("memory") {
            let url = try workplace.database("child")
            let first = try print("\(count / 1_000)k articles, empty table", "merge", url, count, payload)
            let again = try print("the same again, nothing changed", "merge", url, count, payload)
            let other = try workplace.database("child-grdb", hasOutbox: false)
            let upsert = try print("JSONDecoder + GRDB upsert, empty table", "upsert", other, count, payload)
            keep(first.more > again.more ? first : again, upsert)
        }
        if wanted.contains("streamed") {
            let url = try workplace.database("child")
            let many = count * 10
            let title = "\(fixed(Double(many) / 1e6, 1)) M articles, streamed"
            let streamed = try print(title + ", empty table", "stream", url, many, nil)
            let floor = try workplace.database("child-floor")
            let inC = try print("C, as many in one piece, empty table", "floor", floor, many, nil)
            try workplace.expectSame(url, floor)
            keep(streamed, floor: inC)
            try print("streamed again, nothing changed", "stream", url, many, nil)
        }
        workplace.remove("child", "child-grdb", "child-floor")
        try FileManager.default.removeItem(at: payload)
    }

    /// What the payload has, and by how much the process grew beyond what it was with that, in bytes; and the processor
    /// time of one record, in seconds.
    private struct Growth {
        let payload: Double
        let more: Double
        let secondsPerRecord: Double
    }

    private func keep(_ streamed: Growth, floor: Growth) {
        let (ours, floors) = (streamed.secondsPerRecord, floor.secondsPerRecord)
        ResultsFile.append(
            BudgetResult(.streamed, lockstep: ours, floor: floors, ratio: Ratio([ours], to: [floors])))
    }

    private func keep(_ growth: Growth, _ upsert: Growth) {
        func total(_ growth: Growth) -> Double { growth.payload + growth.more }
        ResultsFile.append(
            BudgetResult(
                .memory, lockstep: total(growth), floor: growth.payload,
                ratio: Ratio([total(growth)], to: [growth.payload]),
                others: [.init("JSONDecoder + GRDB upsert", total(upsert))]))
    }

    @discardableResult
    private func print(
        _ title: String, _ work: String, _ url: URL, _ records: Int, _ payload: URL?
    ) throws -> Growth {
        let figures = try ChildProcess.figures([
            "--child", work, "--database", url.path, "--count", String(records), "--payload", payload?.path ?? "",
        ])
        let (bytes, before, peak, processor) = (figures[0], figures[1], figures[2], figures[3])
        let more = peak - before
        // What comes in pieces was not in memory before, and is to take less of it than all of them together.
        let limit = work == "stream" ? bytes : Self.moreBytes
        let isKept = more <= limit
        Markdown.row([
            title, megabytes(bytes), megabytes(before), megabytes(peak), megabytes(more),
            work == "upsert" || work == "floor" ? "" : "≤ \(megabytes(limit)): " + verdict(isKept),
            duration(processor / Double(records)),
        ])
        return Growth(payload: bytes, more: more, secondsPerRecord: processor / Double(records))
    }

    // MARK: In the child

    /// Does the work and prints the payload's bytes, the process's before it, its peak, and processor seconds.
    static func runChild(_ work: String, _ database: String, _ count: Int, _ payload: String) async throws {
        let url = URL(fileURLWithPath: database)
        switch work {
        case "stream":
            let store = try Store(ArchiveSchema.self, at: .file(url))
            // What making the pieces takes is not part of the figure.
            var bytes = 0
            let making = await timed { for await piece in ArticlePieces(count: count) { bytes += piece.count } }
            let before = floor_resident_bytes()
            let time = try await timed {
                let summary = try await store.merge(pieces: ArticlePieces(count: count), into: Article.self)
                precondition(summary.inserted + summary.unchanged == count)
            }
            Swift.print(bytes, before, floor_peak_bytes(), time.processor - making.processor)
        case "floor":
            let json = Payloads.articles(count)
            let floor = Floor(url, merge_articles)
            let before = floor_resident_bytes()
            let time = timed { expect(floor.insert(json), count) }
            Swift.print(json.count, before, floor_peak_bytes(), time.processor)
        case "merge":
            let json = try Data(contentsOf: URL(fileURLWithPath: payload))
            let store = try Store(ArchiveSchema.self, at: .file(url))
            let before = floor_resident_bytes()
            let time = try await timed {
                let summary = try await store.merge(json, into: Article.self)
                precondition(summary.inserted + summary.unchanged == count)
            }
            Swift.print(json.count, before, floor_peak_bytes(), time.processor)
        default:
            let json = try Data(contentsOf: URL(fileURLWithPath: payload))
            let pool = try Workplace.pool(url)
            let before = floor_resident_bytes()
            let time = try timed { try CodableMerge(pool: pool).upsert(json) }
            Swift.print(json.count, before, floor_peak_bytes(), time.processor)
        }
    }
}
