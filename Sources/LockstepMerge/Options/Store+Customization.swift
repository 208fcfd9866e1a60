public import LockstepStore

extension Store {
    /// Customizes how an entity's records are merged into this store, from the next merge on.
    ///
    /// Merges that have begun are not affected. Another call for the same entity replaces the customization. To
    /// customize a single merge, use ``MergeOptions/customizeMerge(of:_:)``.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - customization: The hooks; `nil` for none.
    public func customizeMerge<Object: Model>(of type: Object.Type, _ customization: MergeCustomization<Object>?) {
        updateExtension(MergeCustomizations.self) { known in
            var hooks = known ?? MergeCustomizations()
            hooks.byEntity[Object.entity.name] = customization.map { EntityHooks($0) }
            known = hooks
        }
    }

    /// The hooks of a merge with these options.
    func hooks(_ options: MergeOptions) -> [String: EntityHooks] {
        (storeExtension(MergeCustomizations.self)?.byEntity ?? [:])
            .merging(options.customizations.byEntity) { _, latter in latter }
    }
}

extension MergeOptions {
    /// Sets what is done to an entity's records in a merge with these options, instead of what the store has for it.
    ///
    /// An empty customization takes the store's away.
    public mutating func customizeMerge<Object: Model>(
        of type: Object.Type, _ customization: MergeCustomization<Object>
    ) {
        customizations.byEntity[Object.entity.name] = EntityHooks(customization)
    }
}

extension EntityHooks {
    fileprivate init<Object: Model>(_ customization: MergeCustomization<Object>) {
        self.init(
            willInsert: customization.willInsert, willUpdate: customization.willUpdate,
            didMerge: customization.didMerge, replace: customization.replace)
    }
}
