import { parseArgs } from 'node:util';
import { StartError } from './platform/start-error.ts';
import { runCommand } from './run-command.ts';
import { collectBundle } from './support/collect-bundle.ts';

/**
 * `npm run support [-- --output FILE|- --log FILE|-]`: writes a support bundle. Runs next to the service, or where it does not start, and says on the
 * terminal what is in it.
 */
async function main(): Promise<number> {
  await collectBundle({
    ...readArguments(),
    report: (line) => void process.stderr.write(`${line}\n`),
    print: (text) => void process.stdout.write(text),
  });
  return 0;
}

function readArguments(): { output?: string | undefined; log?: string | undefined } {
  try {
    return parseArgs({ options: { output: { type: 'string' }, log: { type: 'string' } } }).values;
  } catch (error) {
    throw new StartError(
      `${error instanceof Error ? error.message : String(error)} Arguments are --output FILE and --log FILE; - is the standard stream.`,
    );
  }
}

await runCommand(main);
