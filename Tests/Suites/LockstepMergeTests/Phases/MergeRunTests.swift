import LinkSamples
import LockstepStore
import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("The phases of a merge")
struct MergeRunTests {
    @Test("Their order is that of the comments, which say what each requires")
    func order() async throws {
        let phases = try await PhaseStage().merge(into: Room.self, isStarted: false) { merge in
            [
                merge.run.startPhases.map { "\(type(of: $0))" }, merge.run.batchPhases.map { "\(type(of: $0))" },
                merge.run.endPhases.map { "\(type(of: $0))" },
            ]
        }
        #expect(
            phases == [
                [
                    "NotifyWillMerge", "ExpireLocalValues", "FindSentMembers", "ApplyDuplicateResolutions",
                    "FindLocalEdits",
                    "ResolveScope",
                ],
                [
                    "MatchSentMembers", "ResolveLinks", "SkipRefusedRecords", "MatchRows", "WriteRows",
                    "WriteConflictOutcomes", "KeepReceivedVersions", "RunReplacements", "WriteMemberships",
                    "NoteSpellings",
                    "LinkScopeOwner", "ReserveIdentities",
                ],
                [
                    "UnlinkMovedChildren", "DeleteOrphans", "AdoptIdentities", "DeleteByPolicy", "DeleteUnlisted",
                    "NoteOpenLinkSpellings", "AssignDeferredUniqueValues", "ReserveRemainingIdentities",
                    "ReconcileOutbox", "NoteConfirmedRecords",
                    "NoteUnknownMembers",
                    "Report", "ForgetValidators", "NotifyDidMerge",
                ],
            ])
    }
}
