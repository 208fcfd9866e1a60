/// What devices do, and what others do on the server, without the kinds that the seed omits; by how often.
struct FeedEdits {
    enum OfDevice: String, CaseIterable { case addTask, addList, setTitle, move, setName, delete, addPart }
    enum OfOthers: String, CaseIterable {
        case addTask, beginTask, commit, setTitle, move, delete, beginTitle, deleteList
    }

    let ofDevices: [OfDevice]
    let ofOthers: [OfOthers]
    /// `, without move, others' delete`; empty if the seed omits nothing.
    let omissions: String

    init(seed: UInt64) {
        var swarm = Swarm(seed: seed)
        // Devices always make tasks, and what others have begun is committed.
        let devices = swarm.omitted(of: OfDevice.allCases).subtracting([.addTask])
        let others = swarm.omitted(of: OfOthers.allCases).subtracting([.commit])
        ofDevices = [.addTask, .addTask, .addList, .setTitle, .setTitle, .move, .setName, .delete, .addPart].filter {
            !devices.contains($0)
        }
        ofOthers = [
            .addTask, .addTask, .beginTask, .commit, .setTitle, .move, .delete, .beginTitle, .deleteList,
        ].filter { !others.contains($0) }
        let names =
            OfDevice.allCases.filter(devices.contains).map(\.rawValue)
            + OfOthers.allCases.filter(others.contains).map { "others' \($0.rawValue)" }
        omissions = names.isEmpty ? "" : ", without \(names.joined(separator: ", "))"
    }
}
