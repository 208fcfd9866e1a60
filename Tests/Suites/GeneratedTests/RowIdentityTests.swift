import LockstepStore
import ReservedNames
import Testing

/// What a list such as `ForEach` identifies its rows by.
private func rowIdentities<Rows: Collection>(_ rows: Rows) -> [Rows.Element.ID] where Rows.Element: Identifiable {
    rows.map(\.id)
}

@Suite("Rows of lists have the identities of their models")
struct RowIdentityTests {
    @Test("Unsent records are different rows, and stay the same ones when the server has assigned their `id`")
    func remoteID() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.perform { context in
            let drafts = [Draft(context: context), Draft(context: context)]
            try context.save()
            let rows = rowIdentities(drafts).map(AnyHashable.init)
            #expect(rows == drafts.map { AnyHashable($0.localID) })
            #expect(rows[0] != rows[1])
            drafts[0].id = 7
            try context.save()
            #expect(drafts[0].id == 7)
            #expect(rowIdentities(drafts).map(AnyHashable.init) == rows)
        }
    }

    @Test("A part of the identity with the name `id` does not identify a row")
    func partOfIdentity() async throws {
        let store = try LockstepStore.Store(ReservedNamesSchema.self, at: .inMemory)
        try await store.perform { context in
            let parcels = ["DE", "FR"].map { Parcel(id: 1, land: $0, context: context) }
            let rows = rowIdentities(parcels).map(AnyHashable.init)
            #expect(rows == parcels.map { AnyHashable($0.identity) })
            #expect(parcels.map(\.id) == [1, 1])
        }
    }
}
