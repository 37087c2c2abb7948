"""The round of play as a pure state machine: ``evolve`` folds events, ``react`` says what to do about them."""
