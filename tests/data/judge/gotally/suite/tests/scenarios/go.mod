module suite

go 1.24

require gotally v0.0.0
