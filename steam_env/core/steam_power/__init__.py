"""The rules of Steam Power: records in, records out; a file for each chapter of RULES.md."""
