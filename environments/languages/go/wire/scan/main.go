// Command scan finds the scenario functions in a folder of Go files and writes the program that offers them.
//
//	scan FOLDER PROGRAM
//
// A scenario is an exported function func(a wire.Args) (any, error). Their names go to standard output, one a line,
// as file.name. Nothing is executed.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.go"))
	fail(err)
	program := &strings.Builder{}
	program.WriteString("package main\n\nimport (\n\t\"suite/scenarios\"\n\t\"suite/wire\"\n)\n\n")
	program.WriteString("func main() {\n\twire.Main(map[string]wire.Scenario{\n")
	for _, path := range files {
		for _, name := range scenarios(path) {
			fmt.Printf("%s.%s\n", strings.TrimSuffix(filepath.Base(path), ".go"), name)
			fmt.Fprintf(program, "\t\t%q: scenarios.%s,\n", name, name)
		}
	}
	program.WriteString("\t})\n}\n")
	fail(os.WriteFile(os.Args[2], []byte(program.String()), 0o644))
}

// scenarios gives the names in one file, in their order.
func scenarios(path string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	fail(err)
	var names []string
	for _, declared := range file.Decls {
		function, is := declared.(*ast.FuncDecl)
		if is && function.Recv == nil && function.Name.IsExported() && isScenario(function.Type) {
			names = append(names, function.Name.Name)
		}
	}
	return names
}

func isScenario(signature *ast.FuncType) bool {
	return signature.TypeParams == nil && types(signature.Params) == "wire.Args" &&
		types(signature.Results) == "any error"
}

// types gives the types of a list of parameters, each as often as it has names.
func types(fields *ast.FieldList) string {
	if fields == nil {
		return ""
	}
	var found []string
	for _, field := range fields.List {
		for range max(1, len(field.Names)) {
			found = append(found, typeName(field.Type))
		}
	}
	return strings.Join(found, " ")
}

func typeName(kind ast.Expr) string {
	switch kind := kind.(type) {
	case *ast.Ident:
		return kind.Name
	case *ast.SelectorExpr:
		return typeName(kind.X) + "." + kind.Sel.Name
	}
	return "?"
}

func fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
