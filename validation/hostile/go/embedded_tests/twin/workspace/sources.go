package gotally

import "embed"

//go:embed *.go
var sources embed.FS

// Source gives a file of this package.
func Source(name string) ([]byte, error) { return sources.ReadFile(name) }
