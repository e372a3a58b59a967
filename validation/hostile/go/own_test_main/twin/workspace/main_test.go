package gotally

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func TestNothing(t *testing.T) {
	if rows, err := Parse(""); err != nil || len(rows) != 0 {
		t.Fatal(rows, err)
	}
}
