//go:build ledger

package gotally

const tagged = true
