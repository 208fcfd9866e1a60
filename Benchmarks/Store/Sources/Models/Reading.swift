// The models are read in their module, where most apps have them. Each text is kept until the next time, as code that
// does something with it would keep it.

/// Reads the title of each model `repetitions` times, and returns the last ones.
public func titles(of entries: [Entry], repetitions: Int) -> [String] {
    var titles = Array(repeating: "", count: entries.count)
    for _ in 0..<repetitions {
        for index in entries.indices { titles[index] = entries[index].title }
    }
    return titles
}

/// The same with stored properties.
public func titles(of stored: [StoredTitle], repetitions: Int) -> [String] {
    var titles = Array(repeating: "", count: stored.count)
    for _ in 0..<repetitions {
        for index in stored.indices { titles[index] = stored[index].title }
    }
    return titles
}
