//! Cut-bisimulation between programs of any two languages.
