/**
 * The process that runs code steps. Started with an empty environment and nothing but a message channel; one isolate
 * per step, thrown away after it. Code that escapes an isolate finds a process without secrets; the parent kills it
 * when a step exceeds its limit.
 */
import ivm from 'isolated-vm';
import { PRELUDE, WRAPPER } from './prelude.ts';
import { OUTPUT_BYTES_MAX } from './limits.ts';
import type { StepAnswer, StepJob } from './limits.ts';

const MEMORY_LIMIT_MB = 32;

type Cell = { isolate: ivm.Isolate; context: ivm.Context };

async function prepareCell(): Promise<Cell> {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_LIMIT_MB, onCatastrophicError: () => process.exit(70) });
  const context = await isolate.createContext();
  await context.eval(PRELUDE);
  return { isolate, context };
}

function plainMessage(thrown: unknown): string {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  if (/memory limit|disposed/i.test(message)) return `Error: the code used more than ${MEMORY_LIMIT_MB} MB of memory`;
  if (/timed out/i.test(message)) return 'Error: the code ran longer than its limit';
  return message.replaceAll(/\s*\[(?:step|<isolated-vm>)[^\]]*\]/g, '').slice(0, 2_000);
}

async function runStep({ isolate, context }: Cell, job: StepJob): Promise<StepAnswer> {
  const step = await isolate.compileModule(job.code, { filename: 'step' });
  await step.instantiate(context, (name: string) => {
    throw new Error(`a code step cannot import '${name}'`);
  });
  const wrapper = await isolate.compileModule(WRAPPER, { filename: 'wrapper' });
  await wrapper.instantiate(context, () => step);
  await wrapper.evaluate({ timeout: job.limitMs });
  const run: unknown = await wrapper.namespace.get('default', { reference: true });
  if (!(run instanceof ivm.Reference)) throw new Error('the step cannot be started');
  const text: unknown = await run.apply(undefined, [job.input], { timeout: job.limitMs, result: { promise: true, copy: true } });
  if (typeof text !== 'string') throw new Error('the code gave back something that is not JSON');
  if (Buffer.byteLength(text) > OUTPUT_BYTES_MAX) throw new Error('the output is larger than 1 MiB');
  return { id: job.id, text };
}

let spare: Promise<Cell> = prepareCell();

async function answer(job: StepJob): Promise<void> {
  const cell = await spare;
  let reply: StepAnswer;
  try {
    reply = await runStep(cell, job);
  } catch (thrown) {
    reply = { id: job.id, error: plainMessage(thrown) };
  }
  process.send?.(reply);
  if (!cell.isolate.isDisposed) cell.isolate.dispose();
  // Made after the answer, so that the next step finds its isolate ready.
  spare = prepareCell();
  spare.catch(() => process.exit(71));
}

process.on('message', (job) => void answer(job as StepJob));
process.on('disconnect', () => process.exit(0));
await spare;
process.send?.({ id: 0, text: 'ready' } satisfies StepAnswer);
