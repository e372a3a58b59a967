module gotally

go 1.24
