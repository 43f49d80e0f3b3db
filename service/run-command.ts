import { StartError } from './platform/start-error.ts';

/** Prints a line of a command's output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a command to its exit code. A setting or an environment that it refuses is one sentence and ends it with 1. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
