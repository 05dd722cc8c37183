"""Running a model: encode, advance in a session, decode. One file per backend."""
