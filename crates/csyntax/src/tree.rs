//! The typed tree: what the checker makes of an AST (names resolved, conversions explicit).
