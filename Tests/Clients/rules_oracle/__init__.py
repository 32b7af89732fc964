"""Security rules: random rulesets and requests with the decisions of Google's emulator (docs/testing.md)."""
