module checks.example/compare

go 1.24
