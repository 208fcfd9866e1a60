import ComposableArchitecture
import Diary
import Foundation
import LockstepSync

/// A dependency of features. Both modules have a `Store`, so the type is written with its module.
struct DiaryDependency {
    var store: LockstepStore.Store
    var feature: ComposableArchitecture.Store<Int, Never>

    static func openStore(at url: URL) throws -> LockstepStore.Store {
        try Store(DiarySchema.self, at: .file(url))
    }
}
