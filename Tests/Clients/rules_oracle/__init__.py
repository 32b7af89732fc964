"""Security rules: random rulesets and requests with the decisions of Google's emulator (docs/internals/testing.md)."""
