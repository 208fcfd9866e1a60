// An app imports one module: GRDB's query interface and connections come along with ours.
@_exported public import GRDB
