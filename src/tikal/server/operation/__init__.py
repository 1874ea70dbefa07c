"""For administrators: what they may do, export and import, diagnosis, recomputed ratings, the format of logs."""
