import { StartError } from './platform/start-error.ts';
import { runCommand } from './run-command.ts';

/** What the image can run. Each reads the arguments that follow its name. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  service: () => import('./main.ts'),
  engine: () => import('./engine-alone.ts'),
  migrate: () => import('./migrate.ts'),
  rewrap: () => import('./rewrap.ts'),
  'engine:check': () => import('./engine-check.ts'),
  support: () => import('./support.ts'),
  compile: () => import('./compile.ts'),
};

/** Runs the command that the first argument names; the service without one. */
const first = process.argv[2];
const name = first === undefined || first.startsWith('-') ? 'service' : first;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined)
  await runCommand(() => {
    throw new StartError(`There is no command "${name}". Commands are ${Object.keys(COMMANDS).join(', ')}.`);
  });
else {
  if (name === first) process.argv.splice(2, 1);
  await command();
}
