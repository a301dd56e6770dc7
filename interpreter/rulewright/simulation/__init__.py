"""Many games of one edition, as tables: `spec/SIMULATION.md`."""
