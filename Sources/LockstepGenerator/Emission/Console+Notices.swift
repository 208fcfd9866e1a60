extension Console {
    /// Reports what happens to a folder before it is read or written.
    package static func notify(in folder: String) -> (OutputNotice) -> Void {
        { notice in
            switch notice {
            case .waiting: report("\(folder) is being written by another lockstep process; waiting for its end.")
            }
        }
    }
}
