extension Model {
    /// Whether a representation is one of this record, so that its values may be taken over.
    ///
    /// One of another record would give this one that record's values under its own identity. The mistake is remembered,
    /// and the next save throws it as `StoreError` (`wrongIdentity`).
    public func accepts(_ representation: Representation) -> Bool {
        guard let own = wireIdentity, let other = representation.wireIdentity, own != other else { return true }
        context.remember(
            StoreError(
                .wrongIdentity, doing: "updating from a representation", entity: Self.entity.name, record: "\(own)",
                reason: "the representation is of the record “\(other)”",
                remedy: "Find the record with the representation's identity and update that."))
        return false
    }
}
