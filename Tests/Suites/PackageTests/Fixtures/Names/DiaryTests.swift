import Combine
import Diary
import Foundation
import LockstepSync
import LockstepTesting
import SwiftUI
import Testing

extension Testing.Tag {
    @Tag static var offline: Self
}

/// Attached to a failure.
struct Note: Attachable {
    var text: String

    func withUnsafeBytes<Result>(
        for attachment: borrowing Attachment<Self>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result { try Array(text.utf8).withUnsafeBytes(body) }
}

struct Offline: TestTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws { try await function() }
}

@Suite("The diary", .serialized)
struct DiaryTests {
    let store: Store
    let remote = MemoryRemote()

    init() throws { store = try Store(DiarySchema.self, at: .inMemory) }

    @Test("Pushes what was written", .tags(.offline), .bug("https://example.com/1"), arguments: [Fault.Kind.late])
    func pushes(kind: Fault.Kind) async throws {
        let gate = Gate()
        let clock = ManualClock()
        let network = FaultyNetwork(seed: 7, faults: Faults.train, clock: clock)
        let sync = Sync(store: store, remote: network.remote(remote), clock: clock)
        remote.respondNext(.held(gate))
        try await store.perform { (context: ManagedObjectContext) in
            _ = Entry(title: "Monday", photo: FileAttachment(Data()), context: context)
            try context.save()
        }
        gate.open()
        let page: Page<Entry>? = nil
        let limits: Limits? = nil
        let faults: [Fault] = network.log
        let comment: Comment = "no page"
        #expect(page == nil && limits == nil && faults.isEmpty, comment)
        await confirmation { (pushed: Confirmation) in pushed() }
        Attachment.record(Note(text: "\(sync.currentStatus)"), named: "status")
        Issue.record("No server", sourceLocation: SourceLocation(fileID: "A/B", filePath: "B", line: 1, column: 1))
    }
}
