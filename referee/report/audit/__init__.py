"""Whether a run or an export is what it claims to be."""
