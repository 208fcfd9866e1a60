import Foundation
import LockstepStore
import Shop

/// A process that uses a store, for tests that kill it or look at the store meanwhile: `workbench store-process …`.
///
/// - `write FILE STEPS [KILL]`: saves steps of `Bookkeeping` and prints the number of each when it is saved; dies by
///   SIGKILL when the writer's KILL-th statement is about to run, those that open the store included.
/// - `app FILE SERVER SEED LAST ROUNDS KILL`: a `TaskApp` that begins behind the task of number LAST, makes ROUNDS, and
///   with none comes to rest with its server; KILL as above, 0 for none.
/// - `open FILE [readonly]`: opens the store with the rights of nobody, and says what came of it.
/// - `lock FILE [exclusive]`: holds the lock that a writer needs, or everyone's, until its input ends.
/// - `stress FILE SEED`: many writers and readers at once; says what is wrong in the end.
/// - `wipe FILE STEP`: wipes the store; dies by SIGKILL when the STEP-th step is about to run.
/// - `fill FILE BYTES`: saves with no file allowed to grow past BYTES, then with that taken back.
struct StoreProcess {
    static func main(_ arguments: ArraySlice<String>) async throws {
        let arguments = Array(arguments)
        guard arguments.count > 1 else { exit(2) }
        let url = URL(fileURLWithPath: arguments[1])
        let option = arguments.count > 2 ? arguments[2] : ""
        switch arguments[0] {
        case "write":
            try await write(url, steps: Int(option) ?? 0, killAt: arguments.count > 3 ? Int(arguments[3]) : nil)
        case "app": try await app(url, Array(arguments.dropFirst(2)))
        case "open": open(url, readonly: option == "readonly")
        case "lock": try lock(url, exclusive: option == "exclusive")
        case "stress": try await stress(url, seed: UInt64(option) ?? 1)
        case "wipe":
            var steps = 0
            let wipe = StoreWipe(
                of: url,
                willDo: { _ in
                    steps += 1
                    if steps == Int(option) { kill(getpid(), SIGKILL) }
                })
            try wipe.run()
        case "fill": try await fill(url, limit: Int(option) ?? 0)
        default: exit(2)
        }
    }

    /// One line on standard output, written at once.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    // MARK: Writing until killed

    private static func write(_ url: URL, steps: Int, killAt: Int?) async throws {
        let store = try Store(ShopSchema.self, at: .file(url), configuration: configuration(killAt: killAt))
        try await store.perform { context in
            guard try context.count(Product.all()) == 0 else { return }
            Bookkeeping.open(in: context)
            try context.save()
        }
        guard let found = try await store.writer.read({ try Bookkeeping($0) }) else { exit(3) }
        say("opened \(found.step)")
        var books = found
        for _ in 0..<steps {
            let changes = books.advance()
            try await store.perform { [books] context in
                try books.make(changes, in: context)
                try context.save()
            }
            say("saved \(books.step)")
        }
    }

    private static func configuration(killAt: Int?) -> Configuration {
        var configuration = Configuration()
        let fuse = killAt.map(Fuse.init)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            fuse?.watch(database)
            // The journal is copied into the file again and again, so that kills come in the middle of that too.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8")
        }
        return configuration
    }

    private static func app(_ file: URL, _ arguments: [String]) async throws {
        guard arguments.count == 5, let server = URL(string: arguments[0]), let seed = UInt64(arguments[1]),
            let last = Int(arguments[2]), let rounds = Int(arguments[3]), let killAt = Int(arguments[4])
        else { exit(2) }
        var app = try TaskApp(
            file, server: server, seed: seed, lastNumber: last,
            configuration: configuration(killAt: killAt == 0 ? nil : killAt), say: say)
        try await app.use(rounds: rounds)
        if rounds == 0 { try await app.settle() }
    }

    // MARK: Many at once

    private static func stress(_ url: URL, seed: UInt64) async throws {
        let store = try Store(ShopSchema.self, at: .file(url))
        let findings = try await Stress.findings(in: store, seed: seed)
        findings.forEach(say)
        try store.close()
        exit(findings.isEmpty ? 0 : 1)
    }

    // MARK: Opening

    private static func open(_ url: URL, readonly: Bool) {
        // Root may read and write what permissions forbid.
        if geteuid() == 0 {
            let nobody: uid_t = 65534
            guard setgid(nobody) == 0, setuid(nobody) == 0 else { exit(4) }
        }
        var configuration = Configuration()
        configuration.readonly = readonly
        do {
            let store = try Store(ShopSchema.self, at: .file(url), configuration: configuration)
            let count = try store.writer.read { try Product.fetchCount($0) }
            say("products \(count)")
        } catch { say("\(error)") }
    }

    // MARK: Locking

    private static func lock(_ url: URL, exclusive: Bool) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.inDatabase { database in
            if exclusive { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            // Something is in the journal then, as with every store that is in use.
            try database.execute(sql: "UPDATE product SET stock = stock")
            try database.execute(sql: "BEGIN IMMEDIATE; UPDATE product SET stock = stock")
            say("locked")
            _ = FileHandle.standardInput.readDataToEndOfFile()
            try database.execute(sql: "ROLLBACK")
        }
    }

    // MARK: A disk that takes no more

    private static func fill(_ url: URL, limit: Int) async throws {
        // Writing past the limit is to fail, not to end the process.
        signal(SIGXFSZ, SIG_IGN)
        let store = try Store(ShopSchema.self, at: .file(url))
        try await store.perform { context in
            for number in 1...200 {
                ArticleComment(
                    id: 1_000_000 + number, name: "long", text: String(repeating: "x", count: 1000), context: context)
            }
            let unlimited = setFileSizeLimit(rlim_t(limit))
            do { try context.save() } catch let error as StoreError {
                say("\(error.code) changes \(context.hasChanges)")
            }
            _ = setFileSizeLimit(unlimited)
            try context.save()
            say("saved \(try context.count(ArticleComment.all()))")
        }
    }

    /// - Returns: The limit before.
    private static func setFileSizeLimit(_ bytes: rlim_t) -> rlim_t {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { exit(5) }
        let before = limit.rlim_cur
        limit.rlim_cur = bytes
        guard setrlimit(resource, &limit) == 0 else { exit(5) }
        return before
    }
}

/// Ends the process, as a crash would, when so many statements have begun.
///
/// `@unchecked`: the count is only used under the lock.
private final class Fuse: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ statements: Int) { left = statements }

    func watch(_ database: Database) {
        database.trace { [self] _ in
            lock.withLock {
                left -= 1
                if left <= 0 { kill(getpid(), SIGKILL) }
            }
        }
    }
}
