extension Array where Element: AnyObject {
    /// Calls `body` with each element without retaining it: counting references costs more than most operations on an
    /// object that has weak references.
    ///
    /// The array and its elements are kept alive meanwhile.
    func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { elements in
            try elements.withMemoryRebound(to: Unmanaged<Element>.self) { references in
                for reference in references { try reference._withUnsafeGuaranteedRef { try body($0) } }
            }
        }
    }
}
