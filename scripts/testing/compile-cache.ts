import { join } from 'node:path';

// Some hundred test processes run the same code: the first one to load a file compiles it for all.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');
