extension SchemaHeader {
    /// Creates the field's value.
    ///
    /// - Parameter schema: The generated schema.
    public init(_ schema: any StoreSchema.Type) {
        self.init(schema: schema.name, version: schema.version, fingerprint: schema.fingerprint)
    }
}
