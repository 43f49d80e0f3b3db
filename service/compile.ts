import { spawnSync } from 'node:child_process';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ENGINE_NODE_FLAGS } from '@partner-portal/engine/options.ts';
import { StartError } from './platform/start-error.ts';
import { runCommand, say } from './run-command.ts';

/**
 * `compile`: loads the code of all processes, so that Node keeps it compiled in NODE_COMPILE_CACHE, and ends. For the build of the image, whose
 * file system is read-only later.
 */
async function main(): Promise<number> {
  const folder = getCompileCacheDir();
  if (folder === undefined) throw new StartError('NODE_COMPILE_CACHE names no folder that can be written.');
  const tracing = new URL('./platform/tracing/open-telemetry.ts', import.meta.url);
  await Promise.all([import('./app.ts'), import('./start-system.ts'), import(tracing.href)]);
  // Without options the engine ends as soon as it is loaded.
  spawnSync(process.execPath, [...ENGINE_NODE_FLAGS, fileURLToPath(import.meta.resolve('@partner-portal/engine/main.ts'))], {
    stdio: 'ignore',
  });
  flushCompileCache();
  say(`Compiled into ${folder}.`);
  return 0;
}

await runCommand(main);
