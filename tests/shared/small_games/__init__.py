"""Small games for tests, each a YAML text with what tests do with it."""
