import Foundation
import LockstepStore
import Shop
import Testing
import TestSupport
import workbench

/// A folder for one test, removed with it.
final class Folder {
    let url: URL
    var file: URL { url.appendingPathComponent("shop.sqlite") }

    init() throws {
        // `/tmp` rather than the user's own: a process without privileges has to access it too.
        url = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        try? FileManager.default.removeItem(at: url)
    }

    /// Every file with its contents.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            contents[name] = try Data(contentsOf: url.appendingPathComponent(name))
        }
        return contents
    }

    /// Creates a shop's store with this number of steps, and closes it.
    func makeShop(steps: Int = 0, configuration: Configuration = Configuration()) async throws {
        let store = try Store(ShopSchema.self, at: .file(file), configuration: configuration)
        try await store.perform { try Bookkeeping.fill($0, steps: steps) }
        try store.close()
    }

    /// Sets permissions of the folder or of a file in it.
    func setPermissions(_ permissions: Int, of name: String? = nil) throws {
        let path = name.map { url.appendingPathComponent($0).path } ?? url.path
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
}

extension Bookkeeping {
    /// Opens the shop and runs this number of steps, each saved.
    static func fill(_ context: ManagedObjectContext, steps: Int) throws {
        open(in: context)
        try context.save()
        var books = opened
        for _ in 0..<steps {
            let changes = books.advance()
            try books.make(changes, in: context)
            try context.save()
        }
    }
}

extension ChildProcess {
    /// A running `workbench store-process`.
    convenience init(_ arguments: String...) throws { try self.init("workbench", ["store-process"] + arguments) }
}

/// The store error thrown by `body`; fails the test if it throws none.
func storeError(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> StoreError? {
    do {
        try body()
        Issue.record("No error was thrown.", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record("\(error) is no StoreError.", sourceLocation: sourceLocation)
    }
    return nil
}
