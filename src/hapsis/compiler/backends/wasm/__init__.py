"""WebAssembly: Functions as modules that run in a browser, with the bits of the interpreter."""
