/**
 * The process that runs code steps. Started with an empty environment and nothing but a message channel. Each step has a context of its own, thrown
 * away after it, in an isolate that only the same code of the same owner gets again. Code that escapes an isolate finds a process without
 * secrets; the parent kills it when a step exceeds its limit.
 */
import ivm from 'isolated-vm';
import { createKeeper } from './keeper.ts';
import { PRELUDE, WRAPPER } from './prelude.ts';
import { OUTPUT_BYTES_MAX } from './limits.ts';
import type { StepAnswer, StepJob } from './limits.ts';

const MEMORY_LIMIT_MB = 32;
/** Memory that former contexts of a kept isolate may still hold, in addition to the full limit of each step. */
const LEFT_MB_MAX = 8;
/** An isolate costs three times as much as a context in one. Each context leaves 0.2 MB until the isolate goes. */
const USES_MAX = 8;
const KEPT_MAX = 4;
/** For a step's isolate to come to rest after its answer. */
const REST_MS = 50;

function createIsolate(): ivm.Isolate {
  return new ivm.Isolate({ memoryLimit: MEMORY_LIMIT_MB + LEFT_MB_MAX, onCatastrophicError: () => process.exit(70) });
}

const isolates = createKeeper<ivm.Isolate>(
  { usesMax: USES_MAX, keptMax: KEPT_MAX },
  {
    make: createIsolate,
    drop: (isolate) => {
      if (!isolate.isDisposed) isolate.dispose();
    },
  },
);

function plainMessage(thrown: unknown): string {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  if (/memory limit|disposed/i.test(message)) return `Error: the code used more than ${MEMORY_LIMIT_MB} MB of memory`;
  if (/timed out/i.test(message)) return 'Error: the code ran longer than its limit';
  return message.replaceAll(/\s*\[(?:step|<isolated-vm>)[^\]]*\]/g, '').slice(0, 2_000);
}

/** The process has nothing else to do meanwhile, so what is short is done on its main thread. */
async function runStep(isolate: ivm.Isolate, context: ivm.Context, job: StepJob): Promise<StepAnswer> {
  context.evalSync(PRELUDE);
  const step = isolate.compileModuleSync(job.code, { filename: 'step' });
  step.instantiateSync(context, (name: string) => {
    throw new Error(`a code step cannot import '${name}'`);
  });
  const wrapper = isolate.compileModuleSync(WRAPPER, { filename: 'wrapper' });
  wrapper.instantiateSync(context, () => step);
  await wrapper.evaluate({ timeout: job.limitMs });
  const run: unknown = await wrapper.namespace.get('default', { reference: true });
  if (!(run instanceof ivm.Reference)) throw new Error('the step cannot be started');
  const text: unknown = await run.apply(undefined, [job.input], { timeout: job.limitMs, result: { promise: true, copy: true } });
  for (const part of [run, step, wrapper]) part.release();
  if (typeof text !== 'string') throw new Error('the code gave back something that is not JSON');
  if (Buffer.byteLength(text) > OUTPUT_BYTES_MAX) throw new Error('the output is larger than 1 MiB');
  return { id: job.id, text };
}

/** Whether the isolate does nothing more by itself and holds little. */
function isAtRest(isolate: ivm.Isolate, context: ivm.Context): boolean {
  try {
    // Waits for what the step left running, and runs what it left to be run.
    context.evalSync('0', { timeout: REST_MS });
    context.release();
    return isolate.getHeapStatisticsSync().used_heap_size <= LEFT_MB_MAX * 1024 * 1024;
  } catch {
    return false;
  }
}

async function answer(job: StepJob): Promise<void> {
  const isolate = isolates.take(job.owner, job.code);
  let reply: StepAnswer;
  let isFit = false;
  try {
    const context = isolate.createContextSync();
    reply = await runStep(isolate, context, job);
    // Before the answer: what the step left running is on its own time, not on the next step's.
    isFit = isAtRest(isolate, context);
  } catch (thrown) {
    reply = { id: job.id, error: plainMessage(thrown) };
  }
  isolates.release(isolate, isFit);
  process.send?.(reply);
}

process.on('message', (job) => void answer(job as StepJob));
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, text: 'ready' } satisfies StepAnswer);
