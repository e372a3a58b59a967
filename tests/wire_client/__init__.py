"""A second speaker of the wire, written from its page: it shares no line with what it talks to."""
