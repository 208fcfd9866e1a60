extension Array where Element: AnyObject {
    /// Calls `body` with each element, without taking a reference of its own to it: counting references costs more than
    /// most of what is done with an object, where others refer to it weakly.
    ///
    /// The array is held meanwhile, and with it the elements.
    func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { elements in
            try elements.withMemoryRebound(to: Unmanaged<Element>.self) { references in
                for reference in references { try reference._withUnsafeGuaranteedRef { try body($0) } }
            }
        }
    }
}
