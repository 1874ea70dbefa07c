"""For administrators: the admin's powers, export and import, recomputed ratings, the format of logs."""
