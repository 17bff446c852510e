"""Between the table's values and the bytes of the protocol `schmier.v1`."""
