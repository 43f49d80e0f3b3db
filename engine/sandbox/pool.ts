import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { StepError } from '../steps/step.ts';
import { CODE_BYTES_MAX, INPUT_BYTES_MAX } from './limits.ts';
import type { StepAnswer } from './limits.ts';

const CHILDREN_MAX = 2;
const START_LIMIT_MS = 15_000;
/** How long the child may overstay the limit given to the isolate; covers promises that never settle. */
const GRACE_MS = 250;
const IDLE_MS = 60_000;

type Job = { code: string; input: string; limitMs: number; resolve: (output: unknown) => void; reject: (error: unknown) => void };
type Child = {
  process: ChildProcess;
  ready: boolean;
  job: Job | undefined;
  killedFor: string | undefined;
  timer: NodeJS.Timeout | undefined;
};

export type CodeSandbox = {
  /** Runs `export const code = async (inputs) => …`, within its own limit when it has one; undefined comes back as null. Throws StepError. */
  run: (code: string, inputs: unknown, ownLimitMs?: number) => Promise<unknown>;
  close: () => Promise<void>;
};

const envelopeSchema = z.object({ output: z.unknown().optional(), error: z.string().optional() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuseLarge(code: string, input: string): void {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX) throw new StepError('Error: the code is larger than 256 KiB');
  if (Buffer.byteLength(input) > INPUT_BYTES_MAX) throw new StepError('Error: the inputs are larger than 1 MiB');
}

function settle(job: Job, answer: StepAnswer): void {
  if ('error' in answer) {
    job.reject(new StepError(answer.error));
    return;
  }
  // The code may have changed JSON.stringify in its isolate, so even the envelope is checked.
  const parsed = envelopeSchema.safeParse(parseJson(answer.text));
  if (!parsed.success) job.reject(new StepError('Error: the code gave back something that is not JSON'));
  else if (parsed.data.error === undefined) job.resolve(parsed.data.output ?? null);
  else job.reject(new StepError(parsed.data.error.slice(0, 4_000)));
}

/**
 * Code steps run in at most two child processes, one step at a time each, started when first needed and ended when
 * idle. A step that overstays `limitMs` costs the child its life, never the engine.
 */
export function createCodeSandbox(limitMs: number): CodeSandbox {
  const children = new Set<Child>();
  const waiting: Job[] = [];
  let closed = false;
  let jobCount = 0;

  const kill = (child: Child, reason: string): void => {
    child.killedFor = reason;
    child.process.kill('SIGKILL');
  };

  const arm = (child: Child, afterMs: number, reason: string): void => {
    clearTimeout(child.timer);
    child.timer = setTimeout(() => kill(child, reason), afterMs);
    if (child.job === undefined) child.timer.unref();
  };

  const feed = (child: Child): void => {
    // A killed child counts as alive until its exit is reported, and would take a step with it.
    if (!child.ready || child.job !== undefined || child.killedFor !== undefined) return;
    const job = waiting.shift();
    if (job === undefined) {
      arm(child, IDLE_MS, 'idle');
      return;
    }
    child.job = job;
    jobCount += 1;
    arm(child, job.limitMs + GRACE_MS, `Error: the code ran longer than ${job.limitMs} ms`);
    child.process.send({ id: jobCount, code: job.code, input: job.input, limitMs: job.limitMs }, (error) => {
      if (error !== null) kill(child, 'Error: the code could not be started');
    });
  };

  const start = (): void => {
    const child: Child = {
      // Own options only: no environment to read, no inspector or loader inherited from the parent.
      process: fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
        env: {},
        execArgv: ['--no-node-snapshot', '--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
      ready: false,
      job: undefined,
      killedFor: undefined,
      timer: undefined,
    };
    children.add(child);
    arm(child, START_LIMIT_MS, 'Error: the code runner did not start');
    child.process.on('message', (message) => {
      const answer = message as StepAnswer;
      const { job } = child;
      child.ready = true;
      child.job = undefined;
      if (job !== undefined) settle(job, answer);
      feed(child);
    });
    child.process.on('error', () => kill(child, 'Error: the code runner did not start'));
    child.process.on('exit', () => {
      clearTimeout(child.timer);
      children.delete(child);
      child.job?.reject(new StepError(child.killedFor ?? 'Error: the code ended its process; it used too much memory'));
      // A child that never became ready must not be restarted for ever: its waiting steps fail instead.
      if (!child.ready) for (const job of waiting.splice(0)) job.reject(new StepError('Error: the code runner did not start'));
      dispatch();
    });
  };

  const dispatch = (): void => {
    if (closed) return;
    for (const child of children) feed(child);
    const starting = [...children].filter((child) => !child.ready).length;
    if (waiting.length > starting && children.size < CHILDREN_MAX) start();
  };

  return {
    run: (code, inputs, ownLimitMs = limitMs) =>
      new Promise((resolve, reject) => {
        const input = JSON.stringify(inputs);
        refuseLarge(code, input);
        if (closed) throw new StepError('Error: the engine is stopping');
        waiting.push({ code, input, limitMs: ownLimitMs, resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new StepError('Error: the engine is stopping'));
      await Promise.all(
        [...children].map(
          (child) =>
            new Promise<void>((resolve) => {
              child.process.once('exit', () => resolve());
              kill(child, 'Error: the engine is stopping');
            }),
        ),
      );
    },
  };
}
