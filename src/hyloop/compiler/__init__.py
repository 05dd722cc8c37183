"""From a program to the weights of a looped transformer: lower, bounds, schedule, columns, emit. One file per pass."""
