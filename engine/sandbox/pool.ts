import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { fitsJson, isTooDeep } from '../json.ts';
import type { StepRoom } from '../memory.ts';
import { createScheduler } from '../scheduler.ts';
import { kibOf, StepError } from '../steps/step.ts';
import { CODE_BYTES_MAX, INPUT_BYTES_MAX } from './limits.ts';
import type { StepAnswer, StepJob } from './limits.ts';

const CHILDREN_MAX = 2;
const START_LIMIT_MS = 15_000;
/** How long the child may overstay the limit given to the isolate; covers promises that never settle. */
const GRACE_MS = 250;
const IDLE_MS = 60_000;

/** `inputs` become text when the job starts: as text, those that wait would take more memory than their runs hold. */
type Job = {
  fairnessKey: string;
  code: string;
  inputs: unknown;
  limitMs: number;
  room: StepRoom;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
};
type Child = {
  process: ChildProcess;
  ready: boolean;
  job: Job | undefined;
  killedFor: string | undefined;
  timer: NodeJS.Timeout | undefined;
};

export type CodeSandbox = {
  /**
   * Runs `export const code = async (inputs) => …`, within its own limit when it has one; undefined comes back as null. Steps wait in turns
   * by fairness key. Throws StepError.
   */
  run: (code: string, inputs: unknown, call: { fairnessKey: string; room: StepRoom }, ownLimitMs?: number) => Promise<unknown>;
  /** Steps that run in an isolate or wait for one. */
  held: () => number;
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

/** The job's inputs as JSON text. Throws StepError when code or inputs are too large. */
function inputOf({ code, inputs }: Job): string {
  if (Buffer.byteLength(code) > CODE_BYTES_MAX) throw new StepError('Error: the code is larger than 256 KiB');
  const input = fitsJson(inputs, INPUT_BYTES_MAX) ? JSON.stringify(inputs) : undefined;
  if (input === undefined || Buffer.byteLength(input) > INPUT_BYTES_MAX) throw new StepError('Error: the inputs are larger than 1 MiB');
  return input;
}

async function settle(job: Job, answer: StepAnswer): Promise<void> {
  try {
    if ('error' in answer) throw new StepError(answer.error);
    const { text } = answer;
    const { answerBytesMax } = job.room;
    if (text.length > answerBytesMax) throw new StepError(`Error: the output is larger than ${kibOf(answerBytesMax)}`);
    if (isTooDeep(text)) throw new StepError('Error: the output is nested too deep');
    await job.room.forAnswer(text.length);
    // The code may have changed JSON.stringify in its isolate, so even the envelope is checked.
    const parsed = envelopeSchema.safeParse(parseJson(text));
    if (!parsed.success) throw new StepError('Error: the code gave back something that is not JSON');
    if (parsed.data.error !== undefined) throw new StepError(parsed.data.error.slice(0, 4_000));
    job.resolve(parsed.data.output ?? null);
  } catch (thrown) {
    job.reject(thrown);
  }
}

/**
 * Code steps run in at most two child processes, one step at a time each, started when first needed and ended when
 * idle. A step that overstays `limitMs` costs the child its life, never the engine.
 */
export function createCodeSandbox(limitMs: number): CodeSandbox {
  const children = new Set<Child>();
  const waiting = createScheduler<Job>({ total: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY });
  let closed = false;
  let jobCount = 0;

  const takeJob = (): Job | undefined => {
    const job = waiting.take();
    if (job !== undefined) waiting.release(job.fairnessKey);
    return job;
  };
  const rejectWaiting = (reason: string): void => {
    for (let job = takeJob(); job !== undefined; job = takeJob()) job.reject(new StepError(reason));
  };

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
    const job = takeJob();
    if (job === undefined) {
      arm(child, IDLE_MS, 'idle');
      return;
    }
    let input: string;
    try {
      input = inputOf(job);
    } catch (thrown) {
      job.reject(thrown);
      feed(child);
      return;
    }
    // Only the text is needed from here on.
    job.inputs = undefined;
    child.job = job;
    jobCount += 1;
    arm(child, job.limitMs + GRACE_MS, `Error: the code ran longer than ${job.limitMs} ms`);
    child.process.send({ id: jobCount, owner: job.fairnessKey, code: job.code, input, limitMs: job.limitMs } satisfies StepJob, (error) => {
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
      if (job !== undefined) void settle(job, answer);
      feed(child);
    });
    child.process.on('error', () => kill(child, 'Error: the code runner did not start'));
    child.process.on('exit', () => {
      clearTimeout(child.timer);
      children.delete(child);
      child.job?.reject(new StepError(child.killedFor ?? 'Error: the code ended its process; it used too much memory'));
      // A child that never became ready must not be restarted for ever: its waiting steps fail instead.
      if (!child.ready) rejectWaiting('Error: the code runner did not start');
      dispatch();
    });
  };

  const dispatch = (): void => {
    if (closed) return;
    for (const child of children) feed(child);
    const starting = [...children].filter((child) => !child.ready).length;
    if (waiting.waiting() > starting && children.size < CHILDREN_MAX) start();
  };

  return {
    run: (code, inputs, { fairnessKey, room }, ownLimitMs = limitMs) =>
      new Promise((resolve, reject) => {
        if (closed) throw new StepError('Error: the engine is stopping');
        waiting.add(fairnessKey, { code, inputs, limitMs: ownLimitMs, room, fairnessKey, resolve, reject });
        dispatch();
      }),
    held: () => waiting.waiting() + [...children].filter((child) => child.job !== undefined).length,
    close: async () => {
      closed = true;
      rejectWaiting('Error: the engine is stopping');
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
