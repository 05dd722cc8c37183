"""The architecture, exactly the paper's: state, heads, layers, the looped model. It knows nothing of algorithms."""
