"""A client of WebChannel as the web SDK's, and what it must see of `hearth serve` and of Google's emulator."""
