import { processIo } from './cli/process-io.ts';
import { run } from './cli/run.ts';

// Not a top-level await: compiled to bytecode this file is a function.
run(process.argv.slice(2), processIo()).then((exitCode) => process.exit(exitCode));
