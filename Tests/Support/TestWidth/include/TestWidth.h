// Nothing to call: it is enough that this is linked.
