//! C syntax and types: AST, types, data models, lexer, parser, printer, checker.
