extension Context {
    /// Loads relationships of objects, each in one query.
    func prefetch<Object: Model>(_ paths: [PrefetchPath], of objects: [Object]) throws {}
}
