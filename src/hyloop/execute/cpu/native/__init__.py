"""The native engine: vector code generated from the weights, compiled by LLVM through llvmlite, kept on disk."""
