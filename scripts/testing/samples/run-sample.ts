import { join } from 'node:path';
import { runUnit } from '../node-tests.ts';
import { finish } from '../report.ts';

// Arguments: a sample's name, and the milliseconds that its process has.
const [name = '', ms] = process.argv.slice(2);
const path = join(import.meta.dirname, name);
await runUnit({ path, files: [path] }, { test: 300, unit: Number(ms) });
process.exitCode = finish();
