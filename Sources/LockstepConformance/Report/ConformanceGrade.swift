/// A problem that a server causes in the apps that sync with it. A server without any of these is safe.
package enum ConformanceGrade: String, CaseIterable, Sendable {
    case losesChanges = "loses changes"
    case losesLateCommits = "loses late commits"
    case losesDeletions = "loses deletions"
    case duplicatesCreations = "duplicates creations"
    case overwritesChanges = "overwrites changes"
    case showsOthersRows = "shows others' rows"
    case letsOthersWrite = "lets others write"
}
