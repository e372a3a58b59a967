module gotally.example/tools

go 1.24
