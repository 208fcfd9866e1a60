/// Something turned out to be needed that must be known before the transaction: the transaction is rolled back and
/// begun again before anything else in this process writes.
package struct BeginAgain: Error {
    package init() {}
}
