"""Copies of an upstream in a built environment.

Everything below but `gate` uses the standard library alone and imports nothing else of ours: it also runs inside a
sandbox, where the environment is.
"""
