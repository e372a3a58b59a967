package gotally

// Ring is a list whose end is its start.
type Ring struct{ next *Ring }

// NewRing gives a ring of one.
func NewRing() *Ring {
	ring := &Ring{}
	ring.next = ring
	return ring
}

var ring = NewRing()
