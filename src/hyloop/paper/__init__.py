"""The paper, running: its lemmas as layers and its algorithms as loops of them, as printed and corrected."""
