"""The paper's lemmas as layers and its algorithms as loops of layers, as printed and corrected."""
