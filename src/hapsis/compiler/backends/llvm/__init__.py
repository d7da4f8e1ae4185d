"""Native code through LLVM: the default backend."""
