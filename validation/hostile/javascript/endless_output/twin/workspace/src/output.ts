process.stdout.write("x".repeat(1 << 18));
process.stderr.write("x".repeat(1 << 18));
